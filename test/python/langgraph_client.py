"""Uses the REST methods of langgraph-sdk, and prints what it found as one line of JSON."""

import asyncio
import json
import sys

import httpx
from langgraph_sdk import get_client, get_sync_client

url = sys.argv[1]
WEATHER = {"messages": [{"role": "user", "content": "What is the weather in Lisbon?"}]}


async def assistants(client):
    made = await client.assistants.create("letter", name="Ada", metadata={"team": "blue"}, config={"tags": ["x"]})
    assistant_id = made["assistant_id"]
    changed = await client.assistants.update(assistant_id, name="Bob", context={"by": "air"})
    versions = await client.assistants.get_versions(assistant_id)
    first = await client.assistants.set_latest(assistant_id, 1)
    found = await client.assistants.search(metadata={"team": "blue"}, graph_id="letter", sort_by="name")
    count = await client.assistants.count(graph_id="letter")
    graph = await client.assistants.get_graph("letter", xray=True)
    schemas = await client.assistants.get_schemas("letter")
    subgraphs = await client.assistants.get_subgraphs("letter", recurse=True)
    await client.assistants.delete(assistant_id)
    return {
        "changed": [changed["name"], changed["version"]],
        "versions": [one["version"] for one in versions],
        "first": first["name"],
        "found": [one["name"] for one in found],
        "count": count,
        "nodes": sorted(node["id"] for node in graph["nodes"]),
        "graph": schemas["graph_id"],
        "subgraphs": subgraphs,
        "gone": await status(client.assistants.get(assistant_id)),
    }


async def threads(client):
    thread = await client.threads.create(metadata={"topic": "tea"}, if_exists="raise", ttl=60)
    thread_id = thread["thread_id"]
    await client.threads.update(thread_id, metadata={"more": 1})
    final = await client.runs.wait(thread_id, "agent", input=WEATHER)
    state = await client.threads.get_state(thread_id)
    history = await client.threads.get_history(thread_id, limit=2)
    await client.threads.update_state(thread_id, {"messages": [{"role": "user", "content": "More?"}]})
    copy = await client.threads.copy(thread_id)
    found = await client.threads.search(metadata={"topic": "tea"}, status="idle", sort_by="created_at", limit=5)
    count = await client.threads.count(metadata={"topic": "tea"})
    await client.threads.delete(thread_id)
    return {
        "final": final["messages"][-1]["content"],
        "state": [len(state["values"]["messages"]), state["next"]],
        "history": len(history),
        "copied": len((await client.threads.get_state(copy["thread_id"]))["values"]["messages"]),
        "found": [one["metadata"]["more"] for one in found],
        "count": count,
        "gone": await status(client.threads.get(thread_id)),
    }


async def runs(client):
    thread_id = (await client.threads.create())["thread_id"]
    parts = [
        part async for part in client.runs.stream(thread_id, "agent", input=WEATHER, stream_mode=["updates", "values"])
    ]
    run = await client.runs.create(thread_id, "letter", input={"messages": []}, metadata={"a": 1})
    joined = await client.runs.join(thread_id, run["run_id"])
    listed = await client.runs.list(thread_id, limit=10)
    got = await client.runs.get(thread_id, run["run_id"])
    asked = await client.runs.wait(None, "letter", input={"messages": [], "question": "By air?"}, raise_error=False)
    waiting = (await client.threads.create())["thread_id"]
    first = await client.runs.wait(waiting, "letter", input={"messages": [], "question": "By air?"})
    resumed = await client.runs.wait(waiting, "letter", command={"resume": "yes"})
    late = await client.runs.create(waiting, "letter", input={"messages": []}, after_seconds=600)
    await client.runs.cancel(waiting, late["run_id"], wait=True)
    late_status = (await client.runs.get(waiting, late["run_id"]))["status"]
    await client.runs.delete(waiting, late["run_id"])
    batch = await client.runs.create_batch(
        [{"assistant_id": "letter", "input": {"messages": []}}, {"assistant_id": "letter", "input": {"messages": []}}]
    )
    return {
        "events": sorted({part.event for part in parts}),
        "last": parts[-1].data["messages"][-1]["content"],
        "joined": joined["posted"],
        "listed": len(listed),
        "got": [got["status"], got["metadata"]["a"]],
        "asked": list(asked),
        "first": first["__interrupt__"][0]["value"],
        "resumed": [resumed["question"], resumed["posted"]],
        "late": late_status,
        "batch": len(batch),
        "unknown": await status(client.runs.wait(None, "nobody", input={})),
    }


async def store(client):
    await client.store.put_item(("users", "ada"), "color", {"text": "blue"})
    await client.store.put_item(["users", "bob"], "color", {"text": "red"})
    item = await client.store.get_item(("users", "ada"), "color")
    found = await client.store.search_items(("users",), filter={"text": "red"})
    namespaces = await client.store.list_namespaces(prefix=["users"], max_depth=2)
    await client.store.delete_item(("users", "ada"), "color")
    return {
        "item": item["value"],
        "found": [one["namespace"] for one in found["items"]],
        "namespaces": namespaces["namespaces"],
        "gone": await status(client.store.get_item(("users", "ada"), "color")),
    }


async def crons(client):
    cron = await client.crons.create("letter", schedule="0 0 1 1 *", input={"messages": []}, metadata={"kind": "new year"})
    found = await client.crons.search(assistant_id=cron["assistant_id"])
    count = await client.crons.count()
    await client.crons.delete(cron["cron_id"])
    return {"schedule": [one["schedule"] for one in found], "count": [count, await client.crons.count()]}


async def status(call):
    try:
        await call
    except httpx.HTTPStatusError as error:
        return error.response.status_code
    return "none"


async def everything():
    client = get_client(url=url, api_key=None)
    found = {one.__name__: await one(client) for one in (assistants, threads, runs, store, crons)}
    await client.aclose()
    return found


found = asyncio.run(everything())
with get_sync_client(url=url, api_key=None) as client:
    thread_id = client.threads.create()["thread_id"]
    found["blocking"] = [
        client.runs.wait(thread_id, "letter", input={"messages": []})["posted"],
        [part.event for part in client.runs.stream(None, "letter", input={"messages": []}, stream_mode="updates")][0],
    ]

print(json.dumps(found))
