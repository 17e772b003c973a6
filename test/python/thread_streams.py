"""Uses `threads.stream` of langgraph-sdk over both transports, and prints what it found as one line of JSON."""

import asyncio
import json
import os
import sys

from langgraph_sdk import get_client, get_sync_client

url, folder = sys.argv[1:3]
client = get_client(url=url, api_key=None)
WEATHER = {"messages": [{"role": "user", "content": "What is the weather in Lisbon?"}]}
SECONDS = 30


def text_of(content):
    return content if isinstance(content, str) else "".join(block["text"] for block in content)


async def exists(file):
    while not os.path.exists(file):
        await asyncio.sleep(0.005)


async def slow_second_node(transport):
    """The run's output comes when the run has ended, not when its first node has."""
    gate = os.path.join(folder, f"gate-{transport}")
    async with client.threads.stream(assistant_id="letter", transport=transport) as thread:
        await thread.run.start(input={"messages": [], "gate": gate})
        output = asyncio.ensure_future(thread.output)
        await asyncio.wait_for(exists(f"{gate}.reached"), SECONDS)
        done, _ = await asyncio.wait([output], timeout=0.5)
        open(gate, "w").close()
        state = await asyncio.wait_for(output, SECONDS)
        early = len(done) > 0
        return {"early": early, "posted": state["posted"], "text": text_of(state["messages"][-1]["content"])}


async def second_run(transport):
    """A thread with a run that has ended: the output is that of the new one."""
    thread_id = (await client.threads.create())["thread_id"]
    await client.runs.wait(thread_id, "letter", input={"messages": []})
    async with client.threads.stream(thread_id, assistant_id="letter", transport=transport) as thread:
        await thread.run.start(input={"messages": []})
        return len((await asyncio.wait_for(thread.output, SECONDS))["messages"])


async def second_stream(transport):
    """The same, where the earlier run was of this protocol, so that its events can be replayed."""
    gate = os.path.join(folder, f"second-{transport}")
    async with client.threads.stream(assistant_id="letter", transport=transport) as thread:
        await thread.run.start(input={"messages": []})
        await asyncio.wait_for(thread.output, SECONDS)
        thread_id = thread.thread_id
    async with client.threads.stream(thread_id, assistant_id="letter", transport=transport) as thread:
        await thread.run.start(input={"messages": [], "gate": gate})
        output = asyncio.ensure_future(thread.output)
        await asyncio.wait_for(exists(f"{gate}.reached"), SECONDS)
        done, _ = await asyncio.wait([output], timeout=0.5)
        open(gate, "w").close()
        return {"early": len(done) > 0, "messages": len((await asyncio.wait_for(output, SECONDS))["messages"])}


async def projections(transport):
    async with client.threads.stream(assistant_id="agent", transport=transport) as thread:
        await thread.run.start(input=WEATHER)
        messages = [one async for one in thread.messages]
        texts = [await one.text for one in messages]
    async with client.threads.stream(assistant_id="agent", transport=transport) as thread:
        await thread.run.start(input=WEATHER)
        calls = [one async for one in thread.tool_calls]
        tools = [[one.name, json.loads(one.input), (await one.output)["content"]] for one in calls]
    async with client.threads.stream(assistant_id="agent", transport=transport) as thread:
        await thread.run.start(input=WEATHER)
        sizes = [len(one.get("messages", [])) async for one in thread.values]
    async with client.threads.stream(assistant_id="agent", transport=transport) as thread:
        await thread.run.start(input=WEATHER)
        events = []
        async for event in thread.subscribe(["lifecycle"]):
            events.append([event["params"]["data"]["event"], len(event["params"]["namespace"])])
    return {
        "messages": texts,
        "tools": tools,
        "values": sizes[-1],
        "nodes": ["completed", 1] in events,
        "end": events[-1],
    }


async def interrupt(transport):
    async with client.threads.stream(assistant_id="letter", transport=transport) as thread:
        await thread.run.start(input={"messages": [], "question": "By air?"})
        while not thread.interrupted:
            await asyncio.sleep(0.005)
        asked = [one["value"] for one in thread.interrupts]
        await asyncio.sleep(0.3)
        still = len(thread.interrupts)
        await thread.run.respond("yes")
        output = await asyncio.wait_for(thread.output, SECONDS)
        return {"asked": asked, "still": still, "question": output["question"], "posted": output["posted"]}


async def transports():
    found = {}
    for transport in ("sse", "websocket"):
        found[transport] = {
            "slow": await slow_second_node(transport),
            "second": await second_run(transport),
            "again": await second_stream(transport),
            "projections": await asyncio.wait_for(projections(transport), SECONDS),
            "interrupt": await asyncio.wait_for(interrupt(transport), SECONDS),
        }
    await client.aclose()
    return found


found = asyncio.run(transports())
with get_sync_client(url=url, api_key=None) as blocking:
    with blocking.threads.stream(assistant_id="letter") as thread:
        thread.run.start(input={"messages": []})
        found["blocking"] = thread.output["posted"]

print(json.dumps(found))
