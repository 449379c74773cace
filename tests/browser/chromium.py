"""Where is a Chromium for the browser tests, and how does one get here?"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

VARIABLE = "CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# What Chromium is to leave out. A switch counts once, the last one, so Playwright's own list stands
# here again; the pop-ups of the address bar are two hidden pages more for every window.
LEFT_OUT = [
    *["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"],
    *["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"],
    *["ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "AimEnabled"],
    *["OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"],
    *["WebUIOmniboxPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxAimPopup"],
]
FLAGS = [
    f"--disable-features={','.join(LEFT_OUT)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str | None:
    """Return the path of a Chromium: the variable's, one on PATH, Playwright's own, or None."""
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise SystemExit(f"{VARIABLE} must name a Chromium: {named} is no file; unset it")
        return named
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if path and Path(path).is_file() else None


def install_chromium() -> str:
    """Install a Chromium and give its path, saying how.

    Raises:
        SystemExit: none could be installed, with the command to type.
    """
    print("No Chromium found; asking Playwright for its own.", flush=True)
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    if subprocess.run(command, check=False).returncode == 0 and (path := find_chromium()):
        return path
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Playwright has none to give; installing the system's package.", flush=True)
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False)
        if path := find_chromium():
            return path
    raise SystemExit(
        "The browser tests need a Chromium and none could be installed. Type\n"
        "    python -m playwright install chromium\n"
        f"or install the package chromium, or set {VARIABLE} to the path of one."
    )
