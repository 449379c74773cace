"""Where is an nginx for the test of deploy/nginx.conf, and how does one get here?"""

import os
import shutil
import subprocess
from pathlib import Path

VARIABLE = "NGINX"


def find_nginx() -> str | None:
    """Return the path of an nginx: the variable's, or one on PATH or in /usr/sbin; else None."""
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise SystemExit(f"{VARIABLE} must name an nginx: {named} is no file; unset it")
        return named
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def install_nginx() -> str:
    """Install an nginx and give its path, saying how.

    Raises:
        SystemExit: none could be installed, with what to type.
    """
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        print("No nginx found; installing the system's package.", flush=True)
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "nginx-light"]
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(command, check=False, env=quiet)
        if path := find_nginx():
            return path
    raise SystemExit(
        "The test of deploy/nginx.conf needs an nginx and none could be installed. Type\n"
        "    apt-get install nginx-light\n"
        f"or set {VARIABLE} to the path of one."
    )
