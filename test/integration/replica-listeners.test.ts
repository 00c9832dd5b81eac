import { once } from "node:events";
import explorer from "@plinth/plugin-explorer";
import graphql from "@plinth/plugin-graphql";
import rpcSubscribe from "@plinth/plugin-rpc-subscribe";
import transportWs from "@plinth/plugin-transport-ws";
import { sendHttp, signTransaction, transfer } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSocket, post } from "../support/guarded-node.js";
import { startReplica, startSource } from "../support/replica.js";

const PLUGINS = [explorer, graphql, rpcSubscribe, transportWs];
const OPTIONS = {
  ...{ explorerEnabled: true, rpcWsEnabled: true, rpcWsPort: 0 },
  ...{ graphqlHttpEnabled: true, graphqlHttpPort: 0 },
};
const subscribe = (topic: string, ...more: readonly unknown[]) => ({
  ...{ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: [topic, ...more] },
});

describe("a replica", () => {
  let source: Awaited<ReturnType<typeof startSource>>;
  let replica: Awaited<ReturnType<typeof startReplica>>;

  beforeAll(async () => {
    source = await startSource();
    await source.mine([transfer()]);
    replica = await startReplica([source.address()], OPTIONS, { plugins: PLUGINS });
    await replica.reached(source.head());
  });

  afterAll(async () => {
    for (const node of [replica, source]) await node?.[Symbol.asyncDispose]();
  });

  const portOf = (endpoint: string) =>
    replica.node.rpc.endpoints().find(({ name }) => name === endpoint)?.address?.port ?? 0;
  const query = async (text: string) =>
    (await post(portOf("graphql-http"), { query: text }, { path: "/graphql" })).json;

  it("serves blocks with GraphQL, and does not send transactions", async () => {
    const raw = await signTransaction(transfer({ nonce: 1 }));
    const { hash } = source.head();

    const found = await query("{block{number hash transactionCount}}");
    const sent = await query(`mutation{sendRawTransaction(data:"${raw}")}`);

    expect(found).toEqual({ data: { block: { number: 1, hash, transactionCount: 1 } } });
    expect(sent).toMatchObject({ errors: [{ message: expect.stringContaining("--follow") }] });
    expect(source.node.pool.all()).toEqual([]);
  });

  it("notifies subscribers of new blocks, and has no pending transactions", async () => {
    using client = await openSocket(portOf("ws-rpc"));
    expect(await client.ask(subscribe("newHeads"))).toMatchObject({ result: expect.any(String) });

    const notified = once(client.socket, "message");
    await source.mine([transfer()]);
    const [message] = await notified;

    const { params } = JSON.parse(String(message));
    expect(params.result).toMatchObject({ hash: source.head().hash, number: "0x2" });
    expect(await client.ask(subscribe("newPendingTransactions"))).toMatchObject({
      error: { code: -32604, message: expect.stringContaining("subscribe at its source") },
    });
  });

  it("serves the explorer, which may call it", async () => {
    const port = replica.port();
    const host = `127.0.0.1:${port}`;
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';

    const page = await sendHttp({ port, method: "GET", path: "/explorer" });
    const called = await sendHttp({ port, body, headers: { host, origin: `http://${host}` } });

    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text).toContain("/explorer.js");
    expect(JSON.parse(called.text)).toMatchObject({ result: "0x539" });
  });
});
