"""What could not be run is named at the end of a run, never passed over in silence."""

import os

# Two workers share two processors, and the lesson's matrices are small: more threads only wait.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

NOT_RUN = "could not run: "


def pytest_terminal_summary(terminalreporter):
    """List every test that was skipped for want of something, with the reason."""
    left_out = {}
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if NOT_RUN in reason:
            left_out.setdefault(reason.split(NOT_RUN)[1], []).append(report.nodeid)
    for reason, tests in left_out.items():
        terminalreporter.section(f"{len(tests)} tests could not run: {reason}")
        for test in sorted(tests):
            terminalreporter.write_line(test)
