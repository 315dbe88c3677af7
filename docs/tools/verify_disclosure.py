#!/usr/bin/env python3
"""Verify a disclosure, or a published REPLAY.jsonl, with a public checkpoint alone (Python 3.8).

usage: verify_disclosure.py PUBLIC_CHECKPOINT.json FILE
The construction is in docs/format.md, the check of the signature in docs/privacy.md.
"""
import base64, hashlib, hmac, json, sys

NOTHING = object()
class Number(str): "A number, as its literal."
def fail(message): sys.exit("invalid: " + message)
def unique(pairs): return dict(pairs) if len(dict(pairs)) == len(pairs) else fail("a name twice")
def parse(text): return json.loads(text, parse_int=Number, parse_float=Number, object_pairs_hook=unique)
def sha(prefix, *parts): return hashlib.sha256(bytes([prefix]) + b"".join(parts)).digest()
def derive(seed, label): return hmac.new(seed, label.encode(), hashlib.sha256).digest()
def member(commitment, name): return sha(5, commitment, name.encode())

def bits(text):  # 32 bytes as base64url, in their only form
    raw = base64.urlsafe_b64decode(text + "=") if isinstance(text, str) and len(text) == 43 else b""
    return raw if base64.urlsafe_b64encode(raw).decode() == str(text) + "=" else fail("not base64url")
def padded(seed, found):
    slots = len(found) if PAD == 1 else max(1, -(-len(found) // PAD)) * PAD
    return found + [sha(6, derive(seed, "d%d" % j)) for j in range(slots - len(found))]
def commit(value, seed):
    if isinstance(value, dict):
        found = [member(commit(v, derive(seed, "m" + k)), k) for k, v in value.items()]
        return sha(3, derive(seed, "b"), *sorted(padded(seed, found)))
    if isinstance(value, list):
        found = [commit(v, derive(seed, "e%d" % i)) for i, v in enumerate(value)]
        return sha(4, derive(seed, "b"), *padded(seed, found))
    text = value if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)
    return sha(2, seed, text.encode())

def opened(shown, opening, at=""):
    if isinstance(opening, str):
        STATES[at] = "unchanged"
        return fail(at + " is missing") if shown is NOTHING else commit(shown, bits(opening))
    if "commitment" in opening:
        STATES[at] = "replaced (not proved)" if "rule" in opening else "withheld"
        if ("rule" in opening) == (shown is NOTHING): fail(at + " is not " + STATES[at])
        return bits(opening["commitment"])
    if "elements" in opening:
        if not isinstance(shown, list) or len(shown) > len(opening["elements"]): fail(at + " differs")
        plain = [set(o) == {"commitment"} for o in opening["elements"]]
        values = [NOTHING if p and v is None else v for v, p in zip(shown + [NOTHING] * len(plain), plain)]
        found = [opened(v, o, "%s/%d" % (at, i)) for i, (v, o) in enumerate(zip(values, opening["elements"]))]
        return sha(4, bits(opening["blinding"]), *found)
    if not isinstance(shown, dict) or not set(shown) <= set(opening["members"]): fail(at + " differs")
    found = [member(opened(shown.get(k, NOTHING), o, at + "/" + k.replace("~", "~0").replace("/", "~1")), k)
             for k, o in opening["members"].items()] + [bits(m) for m in opening["others"]]
    return sha(3, bits(opening["blinding"]), *sorted(found))

def root(leaves):
    if len(leaves) == 1: return leaves[0]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return sha(1, root(leaves[:k]), root(leaves[k:]))

def climb(leaf, index, last, path):  # RFC 9162, section 2.1.3.2
    for sibling in path if 0 <= index <= last else fail("there is no such line"):
        isRight = index % 2 or index == last
        leaf = sha(1, sibling, leaf) if isRight else sha(1, leaf, sibling)
        while isRight and index and not index % 2: index, last = index >> 1, last >> 1
        index, last = index >> 1, last >> 1
    return leaf if last == 0 else fail("the path is too short")

STATES, stated = {}, parse(open(sys.argv[1], encoding="utf-8").read())
if "payload" in stated: stated = parse(base64.b64decode(stated["payload"]))["predicate"]
PAD = int(stated["form"].partition("+pad")[2] or 1)
lines = [parse(line) for line in open(sys.argv[2], encoding="utf-8").read().split("\n") if line]
if lines[0].get("schema") == "replay.disclosure/1":
    one, names = lines[0], lines[0]["pointer"].split("/")
    leaf, path = sha(0, opened(one["shown"], one["opening"])), [bytes.fromhex(h[7:]) for h in one["path"]]
    found = climb(leaf, int(one["line"]) - 1, int(stated["tree_size"]) - 1, path)
    isShown = any(STATES.get("/".join(names[:i])) == "unchanged" for i in range(1, len(names) + 1))
    if not isShown or "replaced (not proved)" in STATES.values(): fail("the value is not shown unchanged")
else:
    lines[0].pop("published", None)
    found = root([sha(0, opened(x, x.pop("disclosure"), "%d:" % n)) for n, x in enumerate(lines, 1)])
if "sha256:" + found.hex() != stated["public_root"]: fail("the values do not lead to the public root")
print("valid:", ", ".join("%d %s" % (list(STATES.values()).count(s), s) for s in sorted(set(STATES.values()))))
