"""Checks docs/openapi.json by itself: a valid OpenAPI 3.1 document whose examples are what its schemas say.

Usage: document.py check DOCUMENT            prints how much was checked; 1 if something is wrong
       document.py guarded DOCUMENT TO       writes that of a gateway with a clients file: a token is no choice there
       document.py open DOCUMENT TO          writes that of a gateway without an admin token: its admin routes are 404, with
                                             any token and with none
"""

import json
import sys

from jsonschema import Draft202012Validator, FormatChecker
from openapi_spec_validator import OpenAPIV31SpecValidator


def examples(document):
    """Each example with the schema that it is of and where it stands."""

    def walk(node, place):
        if isinstance(node, dict):
            if "schema" in node and ("example" in node or "examples" in node):
                if "example" in node:
                    yield place, node["schema"], node["example"]
                for name, example in node.get("examples", {}).items():
                    yield f"{place}/examples/{name}", node["schema"], example["value"]
            for name, child in node.items():
                if name != "examples":
                    yield from walk(child, f"{place}/{name}")
        elif isinstance(node, list):
            for index, child in enumerate(node):
                yield from walk(child, f"{place}/{index}")

    yield from walk(document, "#")


def unused(document):
    """Components that nothing refers to. 405 is no operation's answer, but that of all that isn't one."""
    text = json.dumps(document)
    for kind, members in document["components"].items():
        if kind == "securitySchemes":
            continue
        for name in members:
            if name == "MethodNotAllowed":
                continue
            if f'"#/components/{kind}/{name}"' not in text:
                yield f"{kind}/{name}"


def check(document):
    troubles = [f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in OpenAPIV31SpecValidator(document).iter_errors()]
    count = 0
    for place, schema, value in examples(document):
        # The schema with all components beside it, so that its references lead somewhere.
        validator = Draft202012Validator(
            {**schema, "components": document["components"]}, format_checker=FormatChecker()
        )
        troubles += [f"{place}: {e.json_path}: {e.message}" for e in validator.iter_errors(value)]
        count += 1
    # An example that could not be wrong would prove nothing: each must be refused once a member more or less is in it.
    for place, schema, value in examples(document):
        if not isinstance(value, dict) or not value:
            continue
        validator = Draft202012Validator({**schema, "components": document["components"]})
        without = [name for name in value if validator.is_valid({k: v for k, v in value.items() if k != name})]
        if len(without) == len(value):
            troubles.append(f"{place}: the schema needs none of the example's members")
    for name in unused(document):
        troubles.append(f"components/{name} is used nowhere")
    return troubles, count


def guarded(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if path.startswith("/v1/") and method != "options":
                operation["security"] = [{"clientToken": []}]
    return document


def without_admin(document):
    for path, methods in document["paths"].items():
        for operation in methods.values():
            if path.startswith("/admin/"):
                operation["security"] = [{}]
    return document


def main():
    command, source = sys.argv[1:3]
    with open(source, encoding="utf-8") as file:
        document = json.load(file)
    if command in ("guarded", "open"):
        with open(sys.argv[3], "w", encoding="utf-8") as file:
            json.dump(guarded(document) if command == "guarded" else without_admin(document), file)
        return 0
    troubles, count = check(document)
    for trouble in troubles:
        print(f"openapi.json: {trouble}", file=sys.stderr)
    if count < 20:
        print(f"openapi.json: only {count} examples were found", file=sys.stderr)
        return 1
    print(f"openapi.json: {len(document['paths'])} paths, {count} examples, {len(troubles)} troubles")
    return 1 if troubles else 0


sys.exit(main())
