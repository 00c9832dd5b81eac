import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTestNode, FakeClock, MemoryNetwork } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { ROOT, startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

/** Writes the blocks of a guide whose first line is a comment with a file name. */
function writeFilesOf(guide: string, folder: TemporaryFolder): void {
  const text = readFileSync(join(ROOT, guide), "utf8");
  const blocks = [...text.matchAll(/^```\w+\n(?:\/\/|#) (\S+\.\w+)\n([\s\S]*?)^```$/gm)];
  expect(blocks.length).toBeGreaterThan(0);
  for (const [, name = "", content = ""] of blocks) writeFileSync(folder.file(name), content);
}

interface ShownCall {
  readonly request: string;
  readonly answer: string;
}

/** The calls that a guide makes with curl, each with the response on the line after it. */
function callsOf(guide: string): readonly ShownCall[] {
  const text = readFileSync(join(ROOT, guide), "utf8");
  const calls = text.matchAll(/^\$ curl -d '(.*)' http:.*\n(\{.*\})$/gm);
  return [...calls].map(([, request = "", answer = ""]) => ({ request, answer }));
}

async function expectAnswers(url: string, calls: readonly ShownCall[]): Promise<void> {
  for (const { request, answer } of calls) {
    const response = await fetch(url, { method: "POST", body: request });
    expect(await response.text()).toBe(answer);
  }
}

describe("the code in guides", () => {
  it("of the README runs", async () => {
    using folder = temporaryFolder();
    writeFilesOf("README.md", folder);
    await using node = await startNode(["--config-file=plinth.toml"], { folder: folder.path });

    expect(await node.rpc("hello_greet", ["Ada"])).toBe("Hello, Ada!");
  });

  it("of the README sends the first transaction", async () => {
    using folder = temporaryFolder();
    const calls = callsOf("README.md").filter(({ request }) => request.includes('"eth_'));
    expect(calls).toHaveLength(1);
    await using node = await startNode(["--profile=dev"], { folder: folder.path });

    await expectAnswers(node.url, calls);
  });

  it("of the guide to tracing returns what the guide shows", async () => {
    using folder = temporaryFolder();
    const calls = callsOf("docs/operators/tracing.md");
    expect(calls).toHaveLength(6);
    const words = ["--profile=dev", "--rpc-http-api=ETH,DEBUG,TRACE"];
    await using node = await startNode(words, { folder: folder.path });

    await expectAnswers(node.url, calls);
  });

  it("of the guide to GraphQL returns what the guide shows", async () => {
    using folder = temporaryFolder();
    const [send, ...calls] = callsOf("docs/operators/graphql.md");
    expect(calls).toHaveLength(5);
    const words = ["--profile=dev", "--graphql-http-enabled"];
    await using node = await startNode(words, { folder: folder.path });

    await expectAnswers(node.graphqlUrl, send === undefined ? [] : [send]);
    while ((await node.rpc("eth_blockNumber")) !== "0x1");
    await expectAnswers(node.graphqlUrl, calls);
  });

  it("of the plugin with its own state runs", async () => {
    using folder = temporaryFolder();
    writeFilesOf("docs/plugins/state.md", folder);
    await using node = await startNode(["--config-file=plinth.toml"], { folder: folder.path });

    await node.rpc("evm_mine");
    await node.rpc("evm_mine");

    expect(await node.rpc("shadow_count")).toBe("0x2");
  });

  it("of the plugin with a wire protocol runs on two nodes", async () => {
    // Inside the repository, so that the plugin finds the core.
    const build = join(ROOT, "test/dist");
    mkdirSync(build, { recursive: true });
    using folder = temporaryFolder(build);
    writeFilesOf("docs/plugins/protocols.md", folder);
    const { default: names } = await import(/* @vite-ignore */ folder.file("names.mjs"));
    const clock = new FakeClock();
    const network = new MemoryNetwork({ clock, delayMs: 50, jitterMs: 20, seed: 1 });
    const start = (name: string) =>
      createTestNode({
        plugins: [names, network.plugin(name)],
        options: { networkDriver: "memory", namesOwn: name },
        clock,
      });
    await using alice = await start("alice");
    await using bob = await start("bob");

    await clock.advance(5_000);
    expect(await alice.rpc("names_list")).toEqual(["bob"]);
    expect(await bob.rpc("names_list")).toEqual(["alice"]);

    network.partition(["alice"], ["bob"]);
    await clock.advance(31_000);
    expect(await alice.rpc("names_list")).toEqual([]);
    network.heal();
    await clock.advance(70_000);
    expect(await alice.rpc("names_list")).toEqual(["bob"]);
  });

  it("of the first plugin runs", async () => {
    using folder = temporaryFolder();
    writeFilesOf("docs/plugins/first-plugin.md", folder);
    await using node = await startNode(["--config-file=plinth.toml"], { folder: folder.path });

    const [today, tomorrow] = await Promise.all([
      node.rpc("clock_inDays"),
      node.rpc("clock_inDays", ["0x1"]),
    ]);
    expect(Number(tomorrow) - Number(today)).toBeGreaterThanOrEqual(86_399);
    await expect(node.rpc("clock_inDays", ["0x4"])).rejects.toMatchObject({
      code: -32602,
      message: "days: at most 3",
    });
  });
});
