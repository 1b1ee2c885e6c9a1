#!/usr/bin/env python3
"""Takes the pictures of README.md anew: take_pictures.py HOLDFAST. Needs chromium, chromium-driver, python3-selenium."""
import pathlib
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

HOLDFAST = str(pathlib.Path(sys.argv[1]).resolve())
PICTURES = pathlib.Path(__file__).parent / "pictures"
# Of the default comparison, as much as fits onto a picture.
COMPARE = ["compare", "--only", "setnx,setnx-expire,getset,set-nx-px,token,fenced,redis-py,redlock,resty-lock", "--faults",
           "none,crash,pause,slow-section,late-request,late-reply,lost-reply,clock-skew,restart", "-o", "."]
STORES = ["compare", "--stores", "-o", "stores"]
# Name, page, width, height, where to scroll to.
SHOTS = [
    ("matrix.png", "index.html", 1280, 900, 0),
    ("trace.png", "resty-lock+pause+owner-only-release.html", 1280, 900, 0),
    ("stores.png", "stores/index.html", 1280, 850, 0),
]

with tempfile.TemporaryDirectory() as directory:
    for command in (COMPARE, STORES):
        subprocess.run([HOLDFAST, *command], cwd=directory, check=True, stdout=subprocess.DEVNULL)
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(word)
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    PICTURES.mkdir(exist_ok=True)
    for name, page, width, height, top in SHOTS:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        browser.get("about:blank")
        browser.get(f"file://{directory}/{page}")
        browser.execute_script(f"scrollTo(0, {top})")
        browser.save_screenshot(str(PICTURES / name))
        print(PICTURES / name)
    browser.quit()
