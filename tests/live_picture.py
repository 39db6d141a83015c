"""What the live picture of the pool depth shows, read from a page that is drawn without a browser."""

import json


def tiles(app):
    """The numbers below the picture at the depth at which it opens: label -> text."""
    live = next(one.proto for one in app.get("bidi_component") if one.proto.component_name == "poolscope.live")
    content = json.loads(live.json)
    return {label: value for label, value, _ in content["tiles"][content["start"]]}
