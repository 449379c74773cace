"""How fast is it, how big, and how many students fit? `python -m tests.benchmarks`."""
