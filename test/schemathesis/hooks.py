"""Who calls in the tests of the API: an API key where one may call, else the session of an administrator.

Each request comes from an address of its own, so that limits by address let the cases through to what they test.
"""

import json
import os
import secrets
import subprocess
import threading
import time
import urllib.request

import schemathesis

URL = os.environ["QINBOX_URL"]
KEY = os.environ["QINBOX_KEY"]
# An access token is good for 15 minutes.
TOKEN_SECONDS = 10 * 60


class Session:
    """One session at a time; begun anew when it is old or was signed out."""

    def __init__(self):
        self._lock = threading.Lock()
        self._token = None
        self._until = 0.0

    def token(self):
        with self._lock:
            if self._token is None or time.monotonic() > self._until:
                self._token = sign_in()
                self._until = time.monotonic() + TOKEN_SECONDS
            return self._token

    def end(self):
        with self._lock:
            self._token = None


def sign_in():
    command = json.loads(os.environ["QINBOX_SIGN_IN"])
    link = json.loads(subprocess.check_output(command))["token"]
    body = json.dumps({"token": link}).encode()
    headers = {"content-type": "application/json", "x-forwarded-for": some_address()}
    request = urllib.request.Request(f"{URL}/api/v1/auth/link", body, headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)["tokens"]["accessToken"]


def some_address():
    # Not from `random`, which Hypothesis seeds the same for each case.
    return ".".join(["10", *(str(1 + secrets.randbelow(254)) for _ in range(3))])


session = Session()


@schemathesis.auth(refresh_interval=None)
class Caller:
    def get(self, case, context):
        return "whoever may call"

    def set(self, case, data, context):
        ways = case.operation.definition.raw.get("security", [])
        headers = case.headers if case.headers is not None else {}
        if any("apiKey" in way for way in ways):
            headers["x-api-key"] = KEY
            # A generated one would come first.
            headers.pop("Authorization", None)
        elif any("accessToken" in way for way in ways):
            headers["Authorization"] = f"Bearer {session.token()}"
        case.headers = headers


@schemathesis.hook
def filter_body(context, body):
    """Leaves out what is refused for a reason that a schema cannot say."""
    if "__proto__" in repr(body):
        return False
    tasks = body.get("tasks", [body]) if isinstance(body, dict) else []
    return not isinstance(tasks, list) or all(map(is_within_limits, tasks))


def is_within_limits(task):
    # Tags count after those that are empty or repeated were dropped; metadata by its bytes and depth.
    if not isinstance(task, dict):
        return True
    tags = task.get("tags")
    if isinstance(tags, list) and (len(tags) > 20 or any(len(str(tag)) > 50 for tag in tags)):
        return False
    return len(json.dumps(task.get("metadata"))) < 16_000


@schemathesis.hook
def before_call(context, case, kwargs):
    headers = case.headers if case.headers is not None else {}
    headers["X-Forwarded-For"] = some_address()
    case.headers = headers


@schemathesis.hook
def after_call(context, case, response):
    if case.operation.path.endswith("/auth/logout"):
        session.end()
