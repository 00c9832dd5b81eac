import { type Hash, hexToBytes } from "@plinth/core";
import graphql from "@plinth/plugin-graphql";
import keysFile from "@plinth/plugin-keys-file";
import logIndex from "@plinth/plugin-log-index";
import rpcAdmin from "@plinth/plugin-rpc-admin";
import rpcDebug from "@plinth/plugin-rpc-debug";
import rpcEth from "@plinth/plugin-rpc-eth";
import {
  ALICE,
  createTestNode,
  LOG_GENESIS,
  LOGGER,
  sendHttp,
  signLog,
  signTransaction,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { isConformanceMissing } from "../support/conformance.js";
import { readPaper, rowsOf, sectionOf } from "../support/papers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const TOPIC: Hash = `0x${"01".repeat(32)}`;

/** Fields that a chain has only where a rule of it says so. */
const FORK_FIELDS: Readonly<Record<string, string>> = { baseFeePerGas: "from London on" };

/** Fields that a node without connections does not have. */
const NETWORK_FIELDS: readonly string[] = ["enode", "listenAddr"];

interface Trace {
  readonly structLogs: readonly object[];
}

/** A chain with a transaction that left a log. */
async function startChain() {
  const node = await createTestNode({ plugins: [rpcEth, rpcDebug], genesis: LOG_GENESIS });
  const raw = await signLog(0, [TOPIC, TOPIC]);
  await node.node.pool.submit(hexToBytes(raw));
  while (node.node.blocks.head().number === 0n) await new Promise((done) => setImmediate(done));
  return node;
}

/** The same with GraphQL, and a transaction that waits. */
async function startGraphql() {
  const node = await createTestNode({
    plugins: [rpcEth, graphql],
    genesis: LOG_GENESIS,
    options: { graphqlHttpEnabled: true, graphqlHttpPort: 0 },
  });
  const submit = async (raw: string) => node.node.pool.submit(hexToBytes(raw));
  await submit(await signLog(0, [TOPIC, TOPIC]));
  while (node.node.blocks.head().number === 0n) await new Promise((done) => setImmediate(done));
  await submit(await signTransaction(transfer({ nonce: 5 })));
  const listener = node.node.rpc.endpoints().find(({ name }) => name === "graphql-http");
  const port = listener?.address?.port ?? 0;
  const ask = async (query: string): Promise<unknown> => {
    const { text } = await sendHttp({ port, path: "/graphql", body: query });
    const { data, errors } = JSON.parse(text);
    expect(errors).toBeUndefined();
    return Object.values(data)[0];
  };
  return { ask, [Symbol.asyncDispose]: () => node.stop() };
}

/** Values for what the table of queries says about arguments: `(address: string)`. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  account: `(address: "${ALICE.address}")`,
  ommerAt: "(index: 0)",
  call: `(data: {from: "${ALICE.address}", to: "${LOGGER}", data: "0x"})`,
  estimateGas: `(data: {from: "${ALICE.address}", to: "${LOGGER}"})`,
  logs: `(filter: {fromBlock: 0, toBlock: 1, addresses: ["${LOGGER}"], topics: [["${TOPIC}"]]})`,
};

/** The query for a row of the table: its fields stand there as they are written, but for arguments. */
function queryOf(name: string, selectable: string): string {
  const given = ARGUMENTS[name] ?? "";
  if (selectable === "hex string") return name;
  const listed = selectable.replace(/ \(integers\).*/s, "");
  const fields = listed.replaceAll(/(\w+)\([^)]*\)/g, (_, field) => `${field}${ARGUMENTS[field]}`);
  return `${name}${given}{${fields}}`;
}

describe.skipIf(isConformanceMissing)("what the description of the product lists", () => {
  const seed = isConformanceMissing ? "" : readPaper("seed.md");
  const section = (heading: string) => (seed === "" ? "" : sectionOf(seed, heading));

  it("is there: every eth method by its name", async () => {
    await using node = await createTestNode({ plugins: [rpcEth] });
    const text = section("### ETH methods");
    const listed = rowsOf(text).map(([name = ""]) => name);
    const named = text.match(/\beth_[a-z]\w+/g) ?? [];
    // A slip of the pen.
    const wanted = new Set([...listed, ...named].filter((name) => name !== "eth_eth_call"));
    const registered = new Set(node.node.methods().map(({ fullName }) => fullName));

    expect(listed).toHaveLength(21);
    expect([...wanted].filter((name) => !registered.has(name))).toEqual([]);
  });

  it("is there: every debug method by its name", async () => {
    await using node = await createTestNode({ plugins: [rpcDebug] });
    const listed = rowsOf(section("### DEBUG methods")).map(([name = ""]) => name);
    const registered = new Set(node.node.methods().map(({ fullName }) => fullName));

    expect(listed).toHaveLength(19);
    expect(listed.filter((name) => !registered.has(name))).toEqual([]);
  });

  it("is there: every admin method by its name", async () => {
    await using node = await createTestNode({ plugins: [rpcAdmin, logIndex] });
    const listed = rowsOf(section("### ADMIN methods")).map(([name = ""]) => name);
    const registered = new Set(node.node.methods().map(({ fullName }) => fullName));

    expect(listed).toHaveLength(8);
    expect(listed.filter((name) => !registered.has(name))).toEqual([]);
  });

  it("is there: every field of the node, but for those of a network", async () => {
    using folder = temporaryFolder();
    const options = { dataPath: folder.path };
    await using node = await createTestNode({ plugins: [rpcAdmin, keysFile], options });
    const rows = rowsOf(section("### Node info"));
    const listed = rows.map(([name = ""]) => name).filter((name) => !NETWORK_FIELDS.includes(name));
    const ofChain = /entry has (.*)/.exec(rows.at(-1)?.[1] ?? "")?.[1] ?? "";
    const chainFields = [...ofChain.matchAll(/(\w+)(?: \([^)]*\))?(?:,|$)/g)];

    const info = Object(await node.rpc("admin_nodeInfo"));

    expect(listed).toEqual(["name", "id", "ports", "protocols"]);
    expect(listed.filter((name) => !Object.hasOwn(info, name))).toEqual([]);
    expect(chainFields.map(([, name]) => name)).toEqual(Object.keys(info.protocols.eth));
  });

  it("is there: every field of the status of cache files", async () => {
    using folder = temporaryFolder();
    const options = { dataPath: folder.path };
    await using node = await createTestNode({ plugins: [rpcAdmin, logIndex], options });
    const text = section("### Log bloom cache status");
    const listed = [...text.matchAll(/(\w+) \((?:string|boolean)\)/g)].map(([, name = ""]) => name);

    const status = Object(await node.rpc("admin_generateLogBloomCache", ["0x0", "latest"]));

    expect(listed).toHaveLength(5);
    expect(listed.filter((name) => !Object.hasOwn(status, name))).toEqual([]);
  });

  it("is there: every field of a trace and of its steps", async () => {
    await using node = await startChain();
    const text = section("### Trace object");
    const top = [...text.matchAll(/^- (\w+):/gm)].map(([, name = ""]) => name);
    const steps = /step objects with fields (.*)/s.exec(text)?.[1] ?? "";
    const ofSteps = [...steps.matchAll(/(\w+) \(/g)].map(([, name = ""]) => name);

    const [trace] = (await node.rpc("debug_traceBlockByNumber", ["latest"])) as Trace[];

    expect(top).toEqual(["gas", "failed", "returnValue", "structLogs"]);
    expect(ofSteps).toHaveLength(9);
    expect(Object.keys(trace ?? {}).sort()).toEqual([...top].sort());
    for (const step of trace?.structLogs ?? []) {
      expect(ofSteps.filter((name) => !Object.hasOwn(step, name))).toEqual([]);
    }
  });

  it("is there: every field of an account in the middle of a block", async () => {
    await using node = await startChain();
    const text = section("### Account details");
    const listed = [...text.matchAll(/(\w+) \((?:data|quantity)/g)].map(([, name = ""]) => name);

    expect(listed).toHaveLength(4);
    expect(await node.rpc("debug_accountAt", ["latest", 0, ALICE.address])).toEqual(
      Object.fromEntries(listed.map((name) => [name, expect.any(String)])),
    );
  });

  it("is there: every field of GraphQL, with the numbers in their forms", async () => {
    await using node = await startGraphql();
    const rows = rowsOf(section("### GraphQL queries"));
    const found = Object.fromEntries(
      await Promise.all(
        rows.map(async ([name = "", , selectable = ""]) => [
          name,
          await node.ask(`{${queryOf(name, selectable)}}`),
        ]),
      ),
    );

    expect(rows.map(([name]) => name)).toEqual([
      "block",
      "account",
      "gasPrice",
      "syncing",
      "pending",
      "logs",
    ]);
    const integer = expect.any(Number);
    const hex = expect.stringMatching(/^0x[0-9a-f]+$/);
    const data = expect.stringMatching(/^0x([0-9a-f]{2})*$/);
    expect(found).toEqual({
      block: {
        number: integer,
        transactions: [{ hash: hex }],
        timestamp: hex,
        difficulty: hex,
        totalDifficulty: hex,
        gasUsed: integer,
        gasLimit: integer,
        hash: hex,
        nonce: hex,
        ommerCount: integer,
        logsBloom: hex,
        mixHash: hex,
        ommerHash: hex,
        extraData: data,
        stateRoot: hex,
        receiptsRoot: hex,
        transactionCount: integer,
        transactionsRoot: hex,
        ommers: [],
        ommerAt: null,
        miner: { address: hex },
        account: { balance: hex },
        parent: { hash: hex },
        baseFeePerGas: hex,
        call: { data, status: 1 },
        estimateGas: integer,
      },
      account: { balance: hex, code: data },
      gasPrice: hex,
      syncing: null,
      pending: { transactionCount: 1, transactions: [{ hash: hex }] },
      logs: [
        {
          index: integer,
          topics: [TOPIC, TOPIC],
          data,
          account: { address: LOGGER },
          transaction: { hash: hex },
        },
      ],
    });
    // The three fields of a node that is catching up, which this one never is.
    const { fields } = (await node.ask(
      '{__type(name:"SyncState"){fields{name type{ofType{name}}}}}',
    )) as {
      fields: readonly { name: string; type: { ofType: { name: string } } }[];
    };
    expect(fields.map(({ name, type }) => `${name}: ${type.ofType.name}`)).toEqual(
      ["startingBlock", "currentBlock", "highestBlock"].map((name) => `${name}: Long`),
    );
  });

  const fields = (heading: string) => rowsOf(section(heading)).map(([name = ""]) => name);
  const prose = (heading: string, pattern: RegExp) =>
    (pattern.exec(section(heading))?.[1] ?? "")
      .replaceAll(/\([^)]*\)/g, "")
      .split(/[,;]/)
      .map((word) => word.replace(".", "").trim())
      .filter((word) => /^[a-zA-Z]\w*$/.test(word));

  it.each([
    [
      "Block object",
      21,
      () => fields("### Block object"),
      "eth_getBlockByNumber",
      ["latest", true],
    ],
    [
      "Transaction object",
      14,
      () => prose("### Transaction object", /Fields: (.*?)\. All/s),
      "eth_getTransactionByBlockNumberAndIndex",
      ["latest", "0x0"],
    ],
    ["Log object", 9, () => fields("### Log object"), "eth_getLogs", [{ address: LOGGER }]],
    [
      "Fee history",
      4,
      () => prose("### Fee history result", /\n(.*)/s),
      "eth_feeHistory",
      ["0x1", "latest", [50]],
    ],
    [
      "Miner data",
      9,
      () => prose("### Miner data", /\n(.*)/s),
      "eth_getMinerDataByBlockNumber",
      ["latest"],
    ],
    [
      "Account proof",
      6,
      () => prose("### Account proof", /\n(.*)/s),
      "eth_getProof",
      [LOGGER, ["0x0"], "latest"],
    ],
    [
      "Access list",
      2,
      () => prose("### Access list result", /\n(.*)/s),
      "eth_createAccessList",
      [{ from: ALICE.address, to: LOGGER }, "latest"],
    ],
  ])("is there: every field of %s", async (_, count, listed, method, params) => {
    await using node = await startChain();

    const answer = await node.rpc(method, params);
    const object = Object(Array.isArray(answer) ? answer[0] : answer);

    const names = listed();
    expect(names).toHaveLength(count);
    const missing = names.filter((name) => !Object.hasOwn(object, name));
    expect(missing.filter((name) => FORK_FIELDS[name] === undefined)).toEqual([]);
  });
});
