import { definePlugin } from "@plinth/core";
import { querySettings } from "@plinth/plugin-rpc-eth/api";
import { createTestNode, sendHttp } from "@plinth/testing";
import { buildClientSchema, getIntrospectionQuery } from "graphql/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import graphql from "./index.js";

const settings = definePlugin({
  name: "settings",
  provides: [querySettings],
  setup({ services }) {
    services.provide(querySettings, () => ({
      gasCap: 50_000_000,
      estimateTolerance: 0,
      maxLogsRange: 0,
      fees: { sample: { blocks: 1, percentile: 50 }, max: 1n, bounds: undefined },
    }));
  },
});

/** The query of code generators. */
const WHOLE = getIntrospectionQuery({
  schemaDescription: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  inputValueDeprecation: true,
  oneOf: true,
});

async function start(options: object = {}) {
  const node = await createTestNode({
    plugins: [graphql, settings],
    options: { graphqlHttpEnabled: true, graphqlHttpPort: 0, ...options },
  });
  const listener = node.node.rpc.endpoints().find(({ name }) => name === "graphql-http");
  const port = listener?.address?.port ?? 0;
  const ask = async (query: string) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ query });
    return JSON.parse((await sendHttp({ port, path: "/graphql", headers, body })).text);
  };
  return { ...node, ask };
}

describe("introspection queries", () => {
  let node: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    node = await start();
  });
  afterAll(() => node.stop());

  it.each([
    ["of GraphiQL", getIntrospectionQuery()],
    ["of code generators", WHOLE],
  ])("%s are executed", async (_, query) => {
    const { data, errors } = await node.ask(query);

    expect(errors).toBeUndefined();
    expect(buildClientSchema(data).getQueryType()?.getFields()).toHaveProperty("block");
  });

  it.each([
    ["fields of types of fields", "{__schema{types{fields{type{fields{type{name}}}}}}}"],
    ["fields twice", "{__schema{types{a:fields{name} b:fields{name}}}}"],
    ["additional fields", `{${names(250)} __schema{queryType{name}} chainID}`],
    [
      "more than twice the usual cost",
      `{__schema{queryType{...F ...F ...F}}} fragment F on __Type{${names(140)}}`,
    ],
    [
      "levels beyond the limit",
      `{__type(name:"Block"){${"ofType{".repeat(20)}name${"}".repeat(21)}}`,
    ],
  ])("are rejected with %s", async (_, query) => {
    expect((await node.ask(query)).errors[0].message).toMatch(/^maximum query (complexity|depth)/);
  });

  it("are limited as in Besu in Besu mode", async () => {
    await using besu = await start({ rpcCompatibility: "besu" });

    expect((await besu.ask(WHOLE)).errors[0].message).toMatch(/complexity exceeded 32\d > 200$/);
  });
});

function names(count: number): string {
  return Array.from({ length: count }, (_, index) => `n${index}:__typename`).join(" ");
}
