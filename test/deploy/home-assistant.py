"""Makes the HTTP requests of a package of Home Assistant, as its actions would: `home-assistant.py FILE STATE SECRETS`.

Reads YAML with `!secret`, renders the templates by Jinja as Home Assistant does (strict, `to_json`, `trigger` of an
automation, the data of an action for its command), and prints a JSON list of what each automation sends.
"""

import json
import sys

import yaml
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

# As homeassistant.components.rest_command and the keys of automations have them.
COMMAND_KEYS = {"url", "method", "headers", "content_type", "payload", "timeout", "verify_ssl"}
METHODS = {"get", "patch", "post", "put", "delete"}
AUTOMATION_KEYS = {"id", "alias", "description", "mode", "triggers", "conditions", "actions"}

path, state, secrets = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])


class Loader(yaml.SafeLoader):
    pass


Loader.add_constructor("!secret", lambda loader, node: secrets[loader.construct_scalar(node)])

environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
environment.filters["to_json"] = lambda value: json.dumps(value, ensure_ascii=False)


def render(template, variables):
    return environment.from_string(template).render(variables)


def known(what, keys):
    unknown = set(what) - keys
    assert not unknown, unknown
    return what


with open(path, encoding="utf-8") as file:
    package = known(yaml.load(file, Loader), {"rest_command", "automation"})

commands = {name: known(command, COMMAND_KEYS) for name, command in package["rest_command"].items()}
assert all(command.get("method", "get") in METHODS for command in commands.values())

sent = []
for automation in package["automation"]:
    known(automation, AUTOMATION_KEYS)
    for trigger in automation["triggers"]:
        happened = {"entity_id": trigger["entity_id"], "to_state": state}
        for action in automation["actions"]:
            domain, name = known(action, {"action", "data"})["action"].split(".")
            assert domain == "rest_command"
            data = {key: render(value, {"trigger": happened}) for key, value in action["data"].items()}
            command = commands[name]
            headers = {key: render(value, data) for key, value in command.get("headers", {}).items()}
            headers["content-type"] = command["content_type"]
            sent.append(
                {
                    "automation": automation["id"],
                    "method": command["method"].upper(),
                    "url": render(command["url"], data),
                    "headers": headers,
                    "body": render(command["payload"], data).strip(),
                }
            )
print(json.dumps(sent))
