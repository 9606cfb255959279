"""Published clients of other hubs, unmodified, each told nothing but an address and a token.

Reads one JSON object a line, {"client", "url", "tls", "token", "short", "key"}, sends or reads one message with that
client, and answers with one line, {"ok", "said"}: whether the client takes it for delivered, and what it was told.
"""

import json
import logging
import sys
from urllib.parse import urlsplit

TITLE, TEXT, LINK = "Backup of nas-2", "The disk is full", "https://nas.example.com/disks"


def through_apprise(address):
    def send(at):
        import apprise

        hub = apprise.Apprise()
        host = urlsplit(at["url"]).netloc
        if not hub.add(address.format(host=host, token=at["token"])):
            return False, "the address is not understood"
        return bool(hub.notify(title=TITLE, body=TEXT, notify_type="failure")), ""

    return send


def slack_sdk(at):
    from slack_sdk.webhook import WebhookClient

    answer = WebhookClient(f"{at['url']}/services/T0/B0/{at['token']}").send(text=f"*{TITLE}*\n{TEXT} <{LINK}|Look>")
    return answer.status_code == 200 and answer.body == "ok", answer.body


def discord_webhook(at):
    from discord_webhook import DiscordEmbed, DiscordWebhook

    webhook = DiscordWebhook(url=f"{at['url']}/api/webhooks/123/{at['token']}", content=TITLE)
    webhook.add_embed(DiscordEmbed(title=TEXT, url=LINK, color="ED4245"))
    answer = webhook.execute()
    return answer.ok and answer.json()["content"] == TITLE, str(answer.status_code)


def discord_file(at):
    from discord_webhook import DiscordWebhook

    webhook = DiscordWebhook(url=f"{at['url']}/api/webhooks/123/{at['token']}", content=TITLE)
    webhook.add_file(file=b"log", filename="backup.log")
    answer = webhook.execute()
    return answer.ok, str(answer.status_code)


def gotify_package(at):
    from gotify import Gotify

    answer = Gotify(base_url=at["url"], app_token=at["short"]).create_message(TEXT, title=TITLE, priority=8)
    return answer["message"] == TEXT and isinstance(answer["id"], int), answer["id"]


def python_ntfy(at):
    from python_ntfy import NtfyClient, ViewAction

    answer = NtfyClient(topic=at["token"], server=at["url"]).send(
        TEXT,
        title=TITLE,
        priority=NtfyClient.MessagePriority.URGENT,
        tags=["floppy_disk", "nas"],
        actions=[ViewAction(label="Look", url=LINK)],
    )
    return answer["event"] == "message" and answer["message"] == TEXT, answer["id"]


def python_ntfy_password(at):
    from python_ntfy import NtfyClient

    answer = NtfyClient(topic="backups", server=at["url"], auth=("me", at["token"])).send(f"**{TEXT}**", format_as_markdown=True)
    return answer["topic"] == "backups", answer["id"]


def slackweb_attachments(at):
    from slackweb import Slack

    attachment = {"title": TITLE, "title_link": LINK, "text": TEXT, "color": "danger"}
    answer = Slack(url=f"{at['url']}/services/T0/B0/{at['token']}").notify(attachments=[attachment])
    return answer == "ok", answer


def matterhook_send(at):
    from matterhook import Webhook

    Webhook(at["url"], at["token"]).send(f"**{TITLE}**: {TEXT}")
    return True, ""


def pdpyras_session(at, act):
    import warnings

    warnings.simplefilter("ignore")
    import pdpyras

    session = pdpyras.EventsAPISession(at["token"])
    session.url = at["url"]
    return act(session)


def pdpyras_trigger(at):
    key = pdpyras_session(at, lambda session: session.trigger(TEXT, "nas-2", severity="warning"))
    return len(key) > 0, key


def pdpyras_resolve(at):
    def act(session):
        key = session.trigger(TEXT, "nas-2")
        session.resolve(key)
        return True, key

    return pdpyras_session(at, act)


def pagerduty_client(at):
    import pagerduty

    # It insists on TLS.
    return pagerduty.EventsApiV2Client(at["token"], base_url=at["tls"])


def pagerduty_trigger(at):
    client = pagerduty_client(at)
    key = client.trigger(TEXT, "nas-2", severity="critical", dedup_key="nas-2", links=[{"href": LINK, "text": "Disks"}])
    return key == "nas-2", key


def pagerduty_resolve(at):
    client = pagerduty_client(at)
    client.trigger(TEXT, "nas-2", severity="critical", dedup_key="nas-2")
    client.acknowledge("nas-2")
    client.resolve("nas-2")
    return True, ""


def pagerduty_change(at):
    change = {"summary": TITLE, "source": "nas-2", "timestamp": "2026-11-21T09:00:00Z"}
    pagerduty_client(at).send_change_event(payload=change)
    return True, ""


def opsgenie_api(at):
    import opsgenie_sdk

    configuration = opsgenie_sdk.Configuration()
    configuration.host = at["url"]
    configuration.api_key["Authorization"] = at["token"]
    configuration.api_key_prefix["Authorization"] = "GenieKey"
    return opsgenie_sdk.AlertApi(opsgenie_sdk.ApiClient(configuration=configuration)), opsgenie_sdk


def opsgenie_create(at):
    api, sdk = opsgenie_api(at)
    alert = sdk.CreateAlertPayload(message=TEXT, alias="nas-2", priority="P1", details={"url": LINK})
    answer = api.create_alert(create_alert_payload=alert)
    return answer.result == "Request will be processed", answer.result


def opsgenie_close(at):
    opsgenie_create(at)
    api, sdk = opsgenie_api(at)
    answer = api.close_alert(identifier="nas-2", identifier_type="alias", close_alert_payload=sdk.CloseAlertPayload())
    return answer.result == "Request will be processed", answer.result


def python_ntfy_messages(at):
    from python_ntfy import NtfyClient

    client = NtfyClient(topic="inbox", server=at["url"], auth=("me", at["key"]))
    messages = client.get_cached_messages(since="all")
    return len(messages) == 1, messages[0]["message"]


def gotify_messages(at):
    from gotify import Gotify

    client = Gotify(base_url=at["url"], client_token=at["key"])
    (message,) = client.get_messages()["messages"]
    (application,) = [each for each in client.get_applications() if each["id"] == message["appid"]]
    client.delete_message(message["id"])
    return client.get_messages()["messages"] == [] and application["name"] != "", message["message"]


def gotify_stream(at):
    import asyncio

    from gotify import AsyncGotify

    async def first():
        async for message in AsyncGotify(base_url=at["url"], client_token=at["key"]).stream():
            return message["message"]

    return True, asyncio.run(asyncio.wait_for(first(), 20))


def cloudevent(encode):
    def send(at):
        import requests
        from cloudevents.v1 import http

        about = {"type": "com.example.disk.full", "source": "/nas-2", "id": "disk-1"}
        event = http.CloudEvent(about, {"title": TITLE, "message": TEXT, "severity": "critical"})
        headers, body = getattr(http, encode)(event)
        answer = requests.post(f"{at['url']}/hooks/{at['token']}", headers=headers, data=body)
        return answer.status_code == 202, answer.text

    return send


CLIENTS = {
    "cloudevents structured": cloudevent("to_structured"),
    "cloudevents binary": cloudevent("to_binary"),
    "shows python-ntfy": python_ntfy_messages,
    "shows gotify": gotify_messages,
    "shows gotify stream": gotify_stream,
    "apprise ntfy": through_apprise("ntfy://{host}/{token}"),
    "apprise ntfy token": through_apprise("ntfy://{token}@{host}/backups?auth=token"),
    "apprise ntfy password": through_apprise("ntfy://me:{token}@{host}/backups"),
    "apprise gotify": through_apprise("gotify://{host}/{token}"),
    "apprise gotify prefix": through_apprise("gotify://{host}/gotify/{token}"),
    "apprise mmost": through_apprise("mmost://{host}/{token}"),
    "apprise apprise": through_apprise("apprise://{host}/{token}"),
    "apprise json": through_apprise("json://{host}/hooks/{token}"),
    "apprise xml": through_apprise("xml://{host}/hooks/{token}"),
    "apprise form": through_apprise("form://{host}/hooks/{token}"),
    "gotify": gotify_package,
    "python-ntfy": python_ntfy,
    "python-ntfy password": python_ntfy_password,
    "slackweb": slackweb_attachments,
    "matterhook": matterhook_send,
    "pdpyras trigger": pdpyras_trigger,
    "pdpyras resolve": pdpyras_resolve,
    "slack_sdk": slack_sdk,
    "discord-webhook": discord_webhook,
    "discord-webhook file": discord_file,
    "pagerduty trigger": pagerduty_trigger,
    "pagerduty resolve": pagerduty_resolve,
    "pagerduty change": pagerduty_change,
    "opsgenie create": opsgenie_create,
    "opsgenie close": opsgenie_close,
}


def main():
    logging.disable(logging.CRITICAL)
    for line in sys.stdin:
        at = json.loads(line)
        try:
            ok, said = CLIENTS[at["client"]](at)
        except Exception as fault:  # Whatever a client throws is its verdict.
            ok, said = False, repr(fault)
        print(json.dumps({"ok": ok, "said": str(said)[:300]}), flush=True)


if __name__ == "__main__":
    main()
