"""The code of Healthchecks, unmodified, told nothing but an address and a token: as send.py.

HEALTHCHECKS names its sources. Its database is made in the folder that this runs in.
"""

import json
import os
import sys
import uuid

sys.path.insert(0, os.environ["HEALTHCHECKS"])
os.environ.update(
    DJANGO_SETTINGS_MODULE="hc.settings",
    DB_NAME=os.path.abspath("healthchecks.sqlite"),
    DEBUG="True",
    INTEGRATIONS_ALLOW_PRIVATE_IPS="True",
    SECRET_KEY="of the tests",
    SITE_ROOT="https://checks.example.com",
)

import django

django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils.timezone import now
from hc.accounts.models import Project
from hc.api.models import Channel, Check, Flip, Notification

CHANNELS = {
    "ntfy": lambda at: {"url": at["url"], "topic": at["token"], "priority": 4, "priority_up": 3, "token": ""},
    # 3.13 sends no priority, later ones do: the usual one is the same task of both.
    "gotify": lambda at: {"url": at["url"], "token": at["short"], "priority": 5, "priority_up": 4},
    "slack": lambda at: f"{at['url']}/services/T0/B0/{at['token']}",
    "discord": lambda at: {"webhook": {"url": f"{at['url']}/api/webhooks/0/{at['token']}", "channel_id": "1"}},
    "mattermost": lambda at: f"{at['url']}/hooks/{at['token']}",
}


def main():
    call_command("migrate", verbosity=0)
    owner = User.objects.create(username=str(uuid.uuid4()), email="me@example.com")
    project = Project.objects.create(owner=owner, name="Home")
    check = Check.objects.create(project=project, name="Backup of nas-2", status="down", last_ping=now())
    for line in sys.stdin:
        at = json.loads(line)
        try:
            value = CHANNELS[at["client"]](at)
            text = value if isinstance(value, str) else json.dumps(value)
            channel = Channel.objects.create(project=project, kind=at["client"], value=text)
            flip = Flip(owner=check, created=now(), old_status="up", new_status="down")
            channel.transport.notify(flip, Notification(owner=check, check_status="down", channel=channel))
            answer = {"ok": True, "said": ""}
        except Exception as fault:  # Whatever it throws is its verdict.
            answer = {"ok": False, "said": repr(fault)[:300]}
        print(json.dumps(answer), flush=True)


main()
