"""Which engines besides Chromium are on this machine, and how do they get here?

`python -m tests.browser.engines.install` installs what is missing.
"""

import glob
import os
import shutil
import subprocess

PACKAGES = {
    "firefox": ("firefox-esr",),
    "webkit": ("webkit2gtk-driver", "xvfb"),
}
COMMAND = "apt-get install --no-install-recommends firefox-esr webkit2gtk-driver xvfb"


def find_firefox() -> str | None:
    """Return the path of a Firefox, or None."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


def find_webkit() -> tuple[str, str] | None:
    """Return the paths of WebKitGTK's driver and of its browser, or None."""
    driver = shutil.which("WebKitWebDriver")
    browsers = sorted(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"))
    return (driver, browsers[-1]) if driver and browsers and shutil.which("Xvfb") else None


def missing() -> list[str]:
    """Return the engines that are not here."""
    here = {"firefox": find_firefox(), "webkit": find_webkit()}
    return [engine for engine, found in here.items() if not found]


def install() -> None:
    """Install what is missing by the system's packages.

    Raises:
        SystemExit: something could not be installed, with the command to type.
    """
    if (wanted := missing()) and os.geteuid() == 0 and shutil.which("apt-get"):
        packages = [package for engine in wanted for package in PACKAGES[engine]]
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
        subprocess.run(command, check=False, env=quiet)
    if left := missing():
        raise SystemExit(f"Could not install {' and '.join(left)}. Type\n    {COMMAND}")


if __name__ == "__main__":
    install()
