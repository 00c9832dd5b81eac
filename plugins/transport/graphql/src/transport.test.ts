import { gunzipSync } from "node:zlib";
import { definePlugin } from "@plinth/core";
import { querySettings } from "@plinth/plugin-rpc-eth/api";
import { createTestNode, type HttpRequest, sendHttp } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import graphql from "./index.js";

const settings = definePlugin({
  name: "settings",
  provides: [querySettings],
  setup({ services }) {
    services.provide(querySettings, () => ({
      gasCap: 0,
      estimateTolerance: 0,
      maxLogsRange: 0,
      fees: { sample: { blocks: 1, percentile: 50 }, max: 1n, bounds: undefined },
    }));
  },
});

const JSON_TYPE = { "content-type": "application/json" };
const CHAIN_ID = { data: { chainID: "0x539" } };

async function start(options: object = {}) {
  const node = await createTestNode({
    plugins: [graphql, settings],
    options: { graphqlHttpEnabled: true, graphqlHttpPort: 0, ...options },
  });
  const listener = node.node.rpc.endpoints().find(({ name }) => name === "graphql-http");
  const port = listener?.address?.port ?? 0;
  const send = async (request: Omit<HttpRequest, "port">) => {
    const reply = await sendHttp({ port, path: "/graphql", ...request });
    return { ...reply, json: /^[[{]/.test(reply.text) ? JSON.parse(reply.text) : undefined };
  };
  return { send, port, [Symbol.asyncDispose]: () => node.stop() };
}

describe("requests", () => {
  it("are accepted as JSON with a query, a name and variables", async () => {
    await using node = await start();
    const query =
      'query Id{chainID} query Head($n:Long){block(number:$n){number}} mutation M{sendRawTransaction(data:"0x")}';
    const send = (body: object) => node.send({ headers: JSON_TYPE, body: JSON.stringify(body) });

    for (const _ of ["once", "twice", "three times"]) {
      expect((await send({ query, operationName: "Id" })).json).toEqual(CHAIN_ID);
      const head = await send({
        query,
        operationName: "Head",
        variables: { n: 0 },
        extensions: {},
      });
      expect(head.json).toEqual({ data: { block: { number: 0 } } });
    }
    expect((await send({ query, operationName: "M" })).json.errors[0].path).toEqual([
      "sendRawTransaction",
    ]);
    for (const operationName of [undefined, "", "Other"]) {
      const { status, json } = await send({ query, operationName });
      expect({ status, data: json.data }).toEqual({ status: 400, data: undefined });
      expect(json.errors).toHaveLength(1);
    }
  });

  it.each([
    ["application/json; charset=utf-8", '{"query":"{chainID}"}'],
    ["APPLICATION/JSON", '{"query":"{chainID}","variables":null,"operationName":null}'],
    ["application/graphql", "{chainID}"],
    ["text/plain", "{chainID}"],
    ["no type at all", "{chainID}"],
    [undefined, "{chainID}"],
  ])("are accepted with the content type %s", async (type, body) => {
    await using node = await start();
    const headers = type === undefined ? {} : { "content-type": type };

    const { status, json, headers: answered } = await node.send({ headers, body });

    expect({ status, json }).toEqual({ status: 200, json: CHAIN_ID });
    expect(answered["content-type"]).toBe("application/json; charset=utf-8");
  });

  it("are accepted in the URL, with variables, except for mutations", async () => {
    await using node = await start();
    const get = (words: Record<string, string>) =>
      node.send({ method: "GET", path: `/graphql?${new URLSearchParams(words)}` });

    expect((await get({ query: "{chainID}" })).json).toEqual(CHAIN_ID);
    const query = "query A{chainID} query B($n:Long){block(number:$n){number}}";
    const head = await get({ query, operationName: "B", variables: '{"n":0}' });
    expect(head.json).toEqual({ data: { block: { number: 0 } } });
    const change = await get({ query: 'mutation{sendRawTransaction(data:"0x")}' });
    expect({ status: change.status, text: change.text }).toEqual({ status: 405, text: "" });
    expect((await get({ query: "{chainID}", variables: "[" })).status).toBe(400);
    expect((await get({})).json.errors[0].message).toBe(
      "Invalid syntax with offending token '<EOF>' at line 1 column 1",
    );
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "{chainID}"],
    ["a list", '[{"query":"{chainID}"}]'],
    ["null", "null"],
    ["a query that is not a text", '{"query":1}'],
    ["a name that is not a text", '{"query":"{chainID}","operationName":1}'],
    ["variables that are not an object", '{"query":"{chainID}","variables":[]}'],
    ["an additional member", '{"query":"{chainID}","batch":1}'],
    ["no query", "{}"],
    ["a query that is null", '{"query":null}'],
  ])("that are %s get 400 and an error", async (_, body) => {
    await using node = await start();

    const { status, json } = await node.send({ headers: JSON_TYPE, body });

    expect(status).toBe(400);
    expect(json).toEqual({
      errors: [
        expect.objectContaining({
          message: expect.any(String),
          extensions: { classification: "InvalidSyntax" },
        }),
      ],
    });
  });

  it.each([
    ["{block{", "Invalid syntax with offending token '<EOF>' at line 1 column 8"],
    ["{block{number}} }", "Invalid syntax with offending token '}' at line 1 column 17"],
    ["{a\n  ?}", "Invalid syntax with offending token '?' at line 2 column 3"],
    [
      "{block{foo}}",
      "Validation error (FieldUndefined@[block/foo]) : Field 'foo' in type 'Block' is undefined",
    ],
    [
      "{b:block{n:foo}}",
      "Validation error (FieldUndefined@[b/n]) : Field 'foo' in type 'Block' is undefined",
    ],
    [
      "{block(size:1){number}}",
      "Validation error (UnknownArgument@[block]) : Unknown field argument 'size'",
    ],
    [
      "{account{balance}}",
      "Validation error (MissingFieldArgument@[account]) : Missing field argument 'address'",
    ],
    ["{...F}", 'Validation error (UndefinedFragment) : Unknown fragment "F".'],
    [
      "{chainID} fragment F on Query{chainID}",
      'Validation error (UnusedFragment@[F]) : Fragment "F" is never used.',
    ],
    ["subscription{block{number}}", "There are no subscriptions."],
    ["fragment F on Query{chainID}", "Unknown operation."],
    ["type Query{a:Int}", "Unknown operation."],
  ])("with the document %s get an error that states the problem", async (query, message) => {
    await using node = await start();

    const { status, json } = await node.send({
      headers: JSON_TYPE,
      body: JSON.stringify({ query }),
    });

    expect({ status, data: json.data, message: json.errors[0].message }).toEqual({
      status: 400,
      data: undefined,
      message,
    });
  });

  it("to other paths are redirected or rejected", async () => {
    await using node = await start();
    const statusOf = async (method: string, path: string) =>
      (await node.send({ method, path })).status;

    for (const method of ["GET", "POST"]) {
      const { status, headers } = await node.send({ method, path: "/" });
      expect({ status, to: headers.location }).toEqual({ status: 308, to: "/graphql" });
    }
    expect(await statusOf("POST", "/other")).toBe(404);
    expect(await statusOf("GET", "/graphql/ui")).toBe(404);
    expect(await statusOf("PUT", "/graphql")).toBe(405);
    expect(await statusOf("DELETE", "/")).toBe(405);
  });

  it("from elsewhere are rejected like those of JSON-RPC", async () => {
    await using node = await start({ graphqlHttpCorsOrigins: ["http://page.example"] });
    const ask = (headers: Record<string, string>) =>
      node.send({ headers: { ...JSON_TYPE, ...headers }, body: '{"query":"{chainID}"}' });

    const stranger = await ask({ host: "stranger.example" });
    expect({ status: stranger.status, text: stranger.text }).toEqual({
      status: 403,
      text: '{"message":"Host not authorized. Host: stranger.example is not in --host-allowlist."}',
    });
    expect((await ask({ origin: "http://other.example" })).status).toBe(403);
    const page = await ask({ origin: "http://page.example" });
    expect(page.headers["access-control-allow-origin"]).toBe("http://page.example");
    expect((await ask({ accept: "text/html" })).status).toBe(406);
    expect((await ask({ accept: "application/graphql-response+json" })).status).toBe(200);
  });

  it("that are too large get 413, and large responses are compressed", async () => {
    await using node = await start();

    const large = await node.send({
      headers: JSON_TYPE,
      body: `{"query":"${"#".repeat(5_300_000)}"}`,
    });
    expect(large.status).toBe(413);
    const { bytes, headers } = await node.send({
      headers: { ...JSON_TYPE, "accept-encoding": "gzip" },
      body: '{"query":"{__schema{types{name description}}}"}',
    });
    expect(headers["content-encoding"]).toBe("gzip");
    expect(JSON.parse(gunzipSync(bytes).toString())).toHaveProperty("data.__schema");
  });

  it("get Besu's error for malformed JSON in Besu mode", async () => {
    await using node = await start({ rpcCompatibility: "besu" });

    const { status, text } = await node.send({ headers: JSON_TYPE, body: "" });

    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({ result: expect.stringMatching(/^Failed to decode:/) });
    expect((await node.send({ body: "{chainID}" })).text).toContain('\n  "data": {\n');
  });
});

describe("the page", () => {
  it("consists only of files of this listener", async () => {
    await using node = await start({ graphqlUiEnabled: true });
    const get = (path: string) => node.send({ method: "GET", path });

    const { status, text, headers } = await get("/graphql/ui");

    expect(status).toBe(200);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'self';/);
    const files = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(files).toHaveLength(6);
    for (const file of files) expect((await get(file)).status).toBe(200);
    const { json } = await get("/graphql/ui/schema.json");
    expect(json.data.__schema.queryType.name).toBe("Query");
    expect((await get("/graphql/ui/../package.json")).status).toBe(404);
  });

  it("may query the listener that it came from, and no other", async () => {
    await using node = await start({ graphqlUiEnabled: true });
    const statusOf = async (origin: string) => {
      const headers = { ...JSON_TYPE, host: `127.0.0.1:${node.port}`, origin };
      return (await node.send({ headers, body: '{"query":"{chainID}"}' })).status;
    };

    expect(await statusOf(`http://127.0.0.1:${node.port}`)).toBe(200);
    expect(await statusOf("http://127.0.0.1:1")).toBe(403);
    expect(await statusOf("http://page.example")).toBe(403);
  });
});

describe("the listener", () => {
  it("is not served by default", async () => {
    await using node = await createTestNode({ plugins: [graphql] });

    expect(node.node.rpc.endpoints().map(({ name }) => name)).not.toContain("graphql-http");
  });

  it("reports missing files", async () => {
    const options = { graphqlHttpEnabled: true, graphqlHttpPort: 0 };

    await expect(createTestNode({ plugins: [graphql], options, eth: false })).rejects.toMatchObject(
      {
        code: "SERVICE_MISSING",
        message: expect.stringContaining("@plinth/plugin-rpc-eth"),
      },
    );
  });
});
