import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hexToBytes } from "@plinth/core";
import graphql from "@plinth/plugin-graphql";
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
import { bothTransports, connectBoth, offerOverBoth } from "../support/both-interfaces.js";
import { isConformanceMissing } from "../support/conformance.js";
import { TOPIC } from "../support/contract-node.js";
import { readPaper, rowsOf, sectionOf } from "../support/papers.js";
import { runProgram } from "../support/program.js";
import { loadShippedPlugins } from "../support/shipped-plugins.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const NAMESPACES = ["admin", "debug", "eth", "clique", "eea", "ibft", "perm", "priv", "qbft"];
/** Those that are disabled by default. */
const DISABLED = NAMESPACES.filter((name) => name !== "eth");
/** A method of each. */
const EXAMPLES: Readonly<Record<string, string>> = {
  admin: "admin_nodeInfo",
  debug: "debug_metrics",
  clique: "clique_proposals",
  eea: "eea_sendRawTransaction",
  ibft: "ibft_getPendingVotes",
  perm: "perm_getNodesAllowlist",
  priv: "priv_getPrivacyPrecompileAddress",
  qbft: "qbft_getPendingVotes",
};

const PLACES = ["rpc-http-host", "rpc-http-port", "graphql-http-host", "graphql-http-port"];

describe("what the service does", () => {
  it("listens on the configured addresses, and on the default ones otherwise", async () => {
    using folder = temporaryFolder();
    const read = async (...options: readonly string[]) => {
      const words = ["--network=dev", ...options, "config", "--format=json"];
      const { stdout } = await runProgram(words, { folder: folder.path });
      const config = JSON.parse(stdout);
      return PLACES.map((name) => config[name].value);
    };
    const options = ["--rpc-http-enabled", "--graphql-http-enabled"];
    const others = ["127.0.0.2", 18_545, "127.0.0.3", 18_547];

    expect(await read()).toEqual(["127.0.0.1", 8545, "127.0.0.1", 8547]);
    expect(
      await read(...options, ...PLACES.map((name, index) => `--${name}=${others[index]}`)),
    ).toEqual(others);
  });

  it("serves ETH by default and none of the others, over HTTP and WebSocket", async () => {
    await using node = await createTestNode({
      plugins: await pluginsOfNamespaces(),
      options: { ...offerOverBoth() },
    });
    using interfaces = await connectBoth(node.node);

    expect(await interfaces.both("eth_chainId")).toBe("0x539");
    for (const namespace of DISABLED) {
      await expect(interfaces.both(EXAMPLES[namespace] ?? ""), namespace).rejects.toMatchObject({
        code: -32604,
      });
    }
  });

  it("serves each if it is listed, but not over the other interface", async () => {
    await using node = await createTestNode({
      plugins: await pluginsOfNamespaces(),
      options: {
        ...offerOverBoth(),
        rpcHttpApi: ["ETH", "ADMIN", "CLIQUE", "EEA", "PERM"],
        rpcWsApi: ["DEBUG", "IBFT", "PRIV", "QBFT"],
      },
    });
    using interfaces = await connectBoth(node.node);
    const isOffered = async (ask: typeof interfaces.http, namespace: string) => {
      const error = await ask(EXAMPLES[namespace] ?? "eth_chainId").then(
        () => undefined,
        (problem) => problem,
      );
      // Others are rejected too: those of an engine that the chain does not have, and those without
      // parameters.
      return !String(error?.message).match(/--rpc-(http|ws)-api/);
    };
    const found: unknown[] = [];
    for (const name of NAMESPACES) {
      found.push([
        name,
        await isOffered(interfaces.http, name),
        await isOffered(interfaces.ws, name),
      ]);
    }

    expect(found).toEqual(
      NAMESPACES.map((name) => {
        const isHttp = ["eth", "admin", "clique", "eea", "perm"].includes(name);
        return [name, isHttp, !isHttp];
      }),
    );
  });

  it.skipIf(isConformanceMissing)("has the namespaces of the description", () => {
    const text = sectionOf(readPaper("seed.md"), "## What the service does");
    const grouped = /method-name prefix: (.*)\./.exec(text)?.[1] ?? "";
    const disabled = /The namespaces (.*) are disabled by default/.exec(text)?.[1] ?? "";

    expect([...grouped.matchAll(/`(\w+)_`/g)].map(([, name]) => name)).toEqual(NAMESPACES);
    expect(
      disabled
        .match(/[A-Z]{3,}/g)
        ?.map((name) => name.toLowerCase())
        .sort(),
    ).toEqual([...DISABLED].sort());
  });
});

describe("transport and envelope", () => {
  it("has jsonrpc, the id of the request and the result", async () => {
    await using node = await createTestNode({
      plugins: [rpcEth, ...bothTransports],
      options: offerOverBoth(),
    });
    const port = node.node.rpc.endpoints().find(({ name }) => name === "json-rpc")?.address?.port;
    const body = { jsonrpc: "2.0", method: "eth_chainId", params: [], id: 53 };

    const { status, text } = await sendHttp({ port: port ?? 0, body: JSON.stringify(body) });

    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: 53, result: "0x539" });
  });

  it("allows omitting trailing parameters", async () => {
    await using node = await createTestNode({ plugins: [rpcEth] });

    expect(await node.rpc("eth_getBalance", [LOGGER])).toBe("0x0");
    expect(await node.rpc("eth_feeHistory", ["0x1", "latest"])).not.toHaveProperty("reward");
  });
});

/** Values for the arguments in the table of queries: `(address: string)`. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  account: `(address: "${ALICE.address}")`,
  ommerAt: "(index: 0)",
  call: `(data: {from: "${ALICE.address}", to: "${LOGGER}", data: "0x"})`,
  estimateGas: `(data: {from: "${ALICE.address}", to: "${LOGGER}"})`,
  logs: `(filter: {fromBlock: 0, toBlock: 1, addresses: ["${LOGGER}"], topics: [["${TOPIC}"]]})`,
};

const INTEGER = expect.any(Number);
const HEX = expect.stringMatching(/^0x[0-9a-f]+$/);
const DATA = expect.stringMatching(/^0x([0-9a-f]{2})*$/);

/**
 * The root fields with the fields of each, as in the table, and the results of a chain with one
 * block.
 */
const QUERIES: Readonly<Record<string, readonly [fields: string, expected: unknown]>> = {
  block: [
    "number, transactions{hash}, timestamp, difficulty, totalDifficulty, gasUsed, gasLimit, hash, nonce, ommerCount, logsBloom, mixHash, ommerHash, extraData, stateRoot, receiptsRoot, transactionCount, transactionsRoot, ommers{hash}, ommerAt(index: integer){hash}, miner{address}, account(address: string){balance}, parent{hash}, baseFeePerGas, call(data: {from, to, data}){data status}, estimateGas(data: {from, to})",
    {
      number: INTEGER,
      transactions: [{ hash: HEX }],
      timestamp: HEX,
      difficulty: HEX,
      totalDifficulty: HEX,
      gasUsed: INTEGER,
      gasLimit: INTEGER,
      hash: HEX,
      nonce: HEX,
      ommerCount: INTEGER,
      logsBloom: HEX,
      mixHash: HEX,
      ommerHash: HEX,
      extraData: DATA,
      stateRoot: HEX,
      receiptsRoot: HEX,
      transactionCount: INTEGER,
      transactionsRoot: HEX,
      ommers: [],
      ommerAt: null,
      miner: { address: HEX },
      account: { balance: HEX },
      parent: { hash: HEX },
      baseFeePerGas: HEX,
      call: { data: DATA, status: 1 },
      estimateGas: INTEGER,
    },
  ],
  account: ["balance, code", { balance: HEX, code: DATA }],
  gasPrice: ["hex string", HEX],
  syncing: [
    "startingBlock, currentBlock, highestBlock (integers); the whole field is null when the node is fully synced",
    null,
  ],
  pending: [
    "transactionCount, transactions{hash}",
    { transactionCount: 1, transactions: [{ hash: HEX }] },
  ],
  logs: [
    "index, topics, data, account{address}, transaction{hash}",
    [
      {
        index: INTEGER,
        topics: [TOPIC, TOPIC],
        data: DATA,
        account: { address: LOGGER },
        transaction: { hash: HEX },
      },
    ],
  ],
};

describe("GraphQL", () => {
  it.each(Object.entries(QUERIES))("%s", async (name, [fields, expected]) => {
    await using node = await startGraphql();

    expect(await node.ask(`{${queryOf(name, fields)}}`)).toEqual(expected);
  });

  it("block by number and by hash", async () => {
    await using node = await startGraphql();
    const latest = Object(await node.ask("{block{number hash}}"));

    expect(latest.number).toBe(1);
    expect(await node.ask("{block(number: 1){number hash}}")).toEqual(latest);
    expect(await node.ask(`{block(hash: "${latest.hash}"){number hash}}`)).toEqual(latest);
    expect(await node.ask("{block(number: 0){number}}")).toEqual({ number: 0 });
  });

  it("syncing has three integers while a node catches up", async () => {
    await using node = await startGraphql();
    const query = '{__type(name:"SyncState"){fields{name type{ofType{name}}}}}';
    const { fields } = Object(await node.ask(query));

    expect(fields).toEqual(
      ["startingBlock", "currentBlock", "highestBlock"].map((name) => ({
        name,
        type: { ofType: { name: "Long" } },
      })),
    );
  });

  it.skipIf(isConformanceMissing)("has the root fields of the description, with theirs", () => {
    const rows = rowsOf(sectionOf(readPaper("seed.md"), "### GraphQL queries"));

    expect(rows.map(([name, , fields]) => [name, fields])).toEqual(
      Object.entries(QUERIES).map(([name, [fields]]) => [name, fields]),
    );
  });
});

describe("command line subcommands", () => {
  const VALIDATORS = [
    "be068f726a13c8d46c44be6ce9d275600e1735a4",
    "5ff6f4b66a46a2b2310a6f3a93aaddc0d9a1c193",
  ].sort();

  it("operator generate-blockchain-config accepts its options, and writes to the given paths", async () => {
    using folder = temporaryFolder();
    const genesis = { config: { chainId: 2018, qbft: { blockperiodseconds: 2 } }, alloc: {} };
    const blockchain = { nodes: { generate: true, count: 2 } };
    writeFileSync(folder.file("config.json"), JSON.stringify({ genesis, blockchain }));

    const { code, stderr } = await runProgram(
      [
        ...["operator", "generate-blockchain-config", "--config-file=config.json", "--to=network"],
        ...["--genesis-file-name=g.json", "--private-key-file-name=k", "--public-key-file-name=p"],
      ],
      { folder: folder.path },
    );

    expect([code, stderr]).toEqual([0, ""]);
    const made = JSON.parse(readFileSync(folder.file("network", "g.json"), "utf8"));
    const addresses = readdirSync(folder.file("network", "keys"));
    expect(addresses).toHaveLength(2);
    for (const address of addresses) {
      expect(made.extraData).toContain(address.slice(2));
      expect(readdirSync(folder.file("network", "keys", address)).sort()).toEqual(["k", "p"]);
    }
  });

  it.each([
    [["--from=list.json", "--to=out.txt"], "IBFT_EXTRA_DATA", "file"],
    [["--type=IBFT_EXTRA_DATA"], "IBFT_EXTRA_DATA", "standard output"],
    [["--type=QBFT_EXTRA_DATA", "--to=out.txt"], "QBFT_EXTRA_DATA", "file"],
  ])("rlp encode %j", async (options, type, target) => {
    using folder = temporaryFolder();
    const input = JSON.stringify(VALIDATORS);
    writeFileSync(folder.file("list.json"), input);

    const ended = await runProgram(["rlp", "encode", ...options], { folder: folder.path, input });

    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const text = target === "file" ? readFileSync(folder.file("out.txt"), "utf8") : ended.stdout;
    expect(text.trim()).toMatch(/^0x[0-9a-f]+$/);
    for (const address of VALIDATORS) expect(text).toContain(address);
    // The round is four bytes in one, and a number in the other.
    expect(text.includes("8400000000")).toBe(type === "IBFT_EXTRA_DATA");
  });
});

/** All shipped plugins that have a namespace of the description, or serve one. */
async function pluginsOfNamespaces() {
  const wanted =
    /^(rpc-(?!dev)|privacy|enclave|permissioning-local|log-index|consensus-(clique|ibft|qbft))/;
  const shipped = await loadShippedPlugins();
  return [...shipped.filter(({ name }) => wanted.test(name)), ...bothTransports];
}

/** A chain with a transaction that left a log, and a pending one, with GraphQL. */
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

/** The query for a row of the table: its fields are used as written, except for arguments. */
function queryOf(name: string, selectable: string): string {
  const given = ARGUMENTS[name] ?? "";
  if (selectable === "hex string") return name;
  const listed = selectable.replace(/ \(integers\).*/s, "");
  const fields = listed.replaceAll(/(\w+)\([^)]*\)/g, (_, field) => `${field}${ARGUMENTS[field]}`);
  return `${name}${given}{${fields}}`;
}
