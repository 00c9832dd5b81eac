import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { MissingValue } from "@plinth/core/chain";
import { describe, expect, it } from "vitest";
import { NO_CACHE } from "../cache/block-cache.js";
import { Remote } from "../remote/remote.js";
import { RemoteState } from "./remote-state.js";

const FROM = `0x${"11".repeat(20)}` as const;
const TO = `0x${"22".repeat(20)}` as const;
const OTHER = `0x${"33".repeat(20)}` as const;
const SLOT = `0x${"00".repeat(31)}07` as const;
const HASH = `0x${"ab".repeat(32)}` as const;
const RUN = { from: FROM, to: TO, data: Uint8Array.of(1), value: 0n };

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

type Respond = (call: Call) => unknown;

/** A node whose values are 5, code 0x60 and slot 9, unless it is given another response. */
async function serve(respond: Respond, { hasBatches = true } = {}) {
  const requests: Call[][] = [];
  const respondTo = (call: Call) => {
    try {
      return { jsonrpc: "2.0", id: call.id, result: respond(call) ?? resultOf(call) };
    } catch (error) {
      const { code = -32000, message } = Object(error);
      return { jsonrpc: "2.0", id: call.id, error: { code, message } };
    }
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const json = JSON.parse(Buffer.concat(parts).toString());
    requests.push([json].flat());
    const isRefused = Array.isArray(json) && !hasBatches;
    const refusal = { jsonrpc: "2.0", id: null, error: { code: -32600, message: "no batches" } };
    const result = Array.isArray(json) ? json.map(respondTo) : respondTo(json);
    response.end(JSON.stringify(isRefused ? refusal : result));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const remote = new Remote({ url, headers: new Map(), limits: { attempts: 1 } });
  const state = new RemoteState({
    remote,
    openCache: () => NO_CACHE,
    log: { debug: () => {} },
    getRecord: () => ({
      source: url,
      chainId: 1n,
      ownChainId: 1n,
      number: 16n,
      hash: HASH,
      hardfork: "osaka",
      headers: "keccak",
      baseFee: 7n,
      gasLimit: 1n,
      isLazy: true,
    }),
  });
  return {
    state,
    url,
    requests,
    methods: () => requests.flat().map(({ method }) => method),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function resultOf({ method }: Call): unknown {
  if (method === "eth_getCode") return "0x60";
  return method === "eth_getStorageAt" ? "0x9" : "0x5";
}

const refuse = (methods: readonly string[], code = -32601): Respond => {
  return ({ method }) => {
    if (methods.includes(method)) throw Object.assign(new Error("execution failed"), { code });
    return undefined;
  };
};
const traced: Respond = ({ method }) =>
  method === "debug_traceCall"
    ? { [OTHER]: { balance: "0x1", storage: { [SLOT]: "0x1" } } }
    : undefined;
const listed: Respond = (call) => {
  if (call.method !== "eth_createAccessList") return refuse(["debug_traceCall"])(call);
  return { accessList: [{ address: OTHER, storageKeys: [SLOT] }] };
};
const account = (address: typeof FROM) => ({
  address,
  account: { balance: 5n, nonce: 5n, code: Uint8Array.of(0x60) },
});

describe("values of another node", () => {
  it("are read by the hash of the block, in one batch", async () => {
    using served = await serve(() => undefined);
    const values: readonly MissingValue[] = [{ address: TO }, { address: TO, slot: SLOT }];

    const fetched = await served.state.fetch({ values });

    expect(fetched).toEqual({
      accounts: [account(TO)],
      slots: [{ address: TO, slot: SLOT, value: 9n }],
    });
    expect(served.requests).toHaveLength(1);
    for (const { params } of served.requests.flat()) {
      expect(params.at(-1)).toEqual({ blockHash: HASH });
    }
  });

  it("include those that the next blocks write to rings of hashes", async () => {
    using served = await serve(() => undefined);
    const address = "0x0000f90827f1c53a10cb7a02335b175320002935";

    const { slots } = await served.state.fetch({ values: [{ address, slot: SLOT }] });

    expect(slots).toHaveLength(32);
    expect(slots.map(({ slot }) => Number(slot)).slice(0, 3)).toEqual([7, 8, 9]);
    expect(served.requests).toHaveLength(1);
  });

  it("are read one by one from a node without batches, which is asked once", async () => {
    using served = await serve(() => undefined, { hasBatches: false });
    await served.state.fetch({ values: [{ address: TO }] });
    await served.state.fetch({ values: [{ address: OTHER }] });

    expect(served.requests.map(({ length }) => length)).toEqual([3, 1, 1, 1, 1, 1, 1]);
  });

  it("are those of an account that does not exist if all are empty", async () => {
    using served = await serve(({ method }) => (method === "eth_getCode" ? "0x" : "0x0"));

    const { accounts } = await served.state.fetch({ values: [{ address: TO }] });

    expect(accounts).toEqual([{ address: TO, account: undefined }]);
  });

  it("are an error that names the node, the block and the value", async () => {
    using served = await serve(() => {
      throw new Error("header not found");
    });

    await expect(served.state.fetch({ values: [{ address: TO }] })).rejects.toMatchObject({
      code: "STATE_UNAVAILABLE",
      message: `account ${TO}: values of block 16 are read from the node that was forked, ${served.url}: ${served.url} rejects eth_getBalance: header not found (-32000)`,
    });
  });
});

describe("what a call is likely to read", () => {
  it.each([
    ["a trace", traced, ["debug_traceCall"]],
    ["an access list", listed, ["debug_traceCall", "eth_createAccessList"]],
  ])("is listed by %s and read as well", async (_, respond, methods) => {
    using served = await serve(respond);

    const fetched = await served.state.fetch({ values: [{ address: TO }], run: RUN });

    expect(fetched.accounts.map(({ address }) => address)).toEqual([TO, OTHER]);
    expect(fetched.accounts[1]).toEqual(account(OTHER));
    expect(fetched.slots).toEqual([{ address: OTHER, slot: SLOT, value: 9n }]);
    expect(served.methods().filter((name) => !name.startsWith("eth_get"))).toEqual(methods);
  });

  it("is not read again once it was", async () => {
    using served = await serve(traced);
    await served.state.fetch({ values: [{ address: TO }], run: RUN });

    const { accounts } = await served.state.fetch({ values: [{ address: FROM }], run: RUN });

    expect(accounts.map(({ address }) => address)).toEqual([FROM]);
  });

  it("is not asked again from a node without the methods", async () => {
    using served = await serve(refuse(["debug_traceCall", "eth_createAccessList"]));
    const lists = () => served.methods().filter((name) => !name.startsWith("eth_get"));
    await served.state.fetch({ values: [{ address: TO }], run: RUN });
    expect(lists()).toHaveLength(2);

    const { accounts } = await served.state.fetch({ values: [{ address: OTHER }], run: RUN });

    expect(accounts).toEqual([account(OTHER)]);
    expect(lists()).toHaveLength(2);
  });

  it("is left to the call if the node rejects this one", async () => {
    using served = await serve(refuse(["debug_traceCall"], 3));

    const { accounts } = await served.state.fetch({ values: [{ address: TO }], run: RUN });
    await served.state.fetch({ values: [{ address: OTHER }], run: RUN });

    expect(accounts).toEqual([account(TO)]);
    expect(served.methods().filter((name) => name === "debug_traceCall")).toHaveLength(2);
  });
});
