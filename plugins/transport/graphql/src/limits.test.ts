import { request } from "node:http";
import { definePlugin } from "@plinth/core";
import { querySettings } from "@plinth/plugin-rpc-eth/api";
import { BOB, createTestNode, FakeClock, sendHttp, transfer } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GraphqlContext, graphqlSchema } from "./api.js";
import graphql from "./index.js";

/** A field that returns its argument, and one with the requested number of items. */
const additions = definePlugin({
  name: "additions",
  provides: [querySettings],
  setup({ services, contribute }) {
    services.provide(querySettings, () => ({
      gasCap: 50_000_000,
      estimateTolerance: 0,
      maxLogsRange: 0,
      fees: { sample: { blocks: 1, percentile: 50 }, max: 1n, bounds: undefined },
    }));
    contribute(graphqlSchema, {
      name: "test",
      typeDefs: `extend type Query { echo(text: String!): String! many(count: Int!): [Item!]! broken: Item! }
        type Item { name: String! thrown: String }`,
      resolvers: {
        Query: {
          echo: (_: unknown, { text }: { text: string }) => text,
          many: async (_: unknown, { count }: { count: number }) =>
            Array.from({ length: count }, () => ({ name: "item" })),
          broken: async () => ({
            name: "broken",
            get thrown() {
              throw new Error("secret");
            },
          }),
        },
      },
    });
  },
});

const spread = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(" ");

async function start(options: object = {}) {
  const node = await createTestNode({
    plugins: [graphql, additions],
    options: { graphqlHttpEnabled: true, graphqlHttpPort: 0, ...options },
  });
  const listener = node.node.rpc.endpoints().find(({ name }) => name === "graphql-http");
  const port = listener?.address?.port ?? 0;
  const ask = (query: string, variables?: object) => post(JSON.stringify({ query, variables }));
  const post = async (body: string) => {
    const headers = { "content-type": "application/json" };
    const { status, text } = await sendHttp({ port, path: "/graphql", headers, body });
    return { status, text, ...JSON.parse(text) };
  };
  return { ...node, ask, post };
}

describe("the cost limit of a query", () => {
  let node: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    node = await start();
    await node.mine([transfer(), transfer()], []);
    await node.ask("{chainID}");
  });
  afterAll(() => node.stop());

  const aliases = (count: number) => spread(count, (index) => `a${index}:chainID`);

  it("is two hundred fields, and not one more", async () => {
    expect((await node.ask(`{${aliases(200)}}`)).status).toBe(200);
    expect(await node.ask(`{${aliases(201)}}`)).toMatchObject({
      status: 400,
      errors: [
        {
          message: "maximum query complexity exceeded 201 > 200",
          extensions: { classification: "ExecutionAborted" },
        },
      ],
    });
  });

  it("counts fragments as often as they are spread, and what they hide", async () => {
    const inline =
      "{block{...on Block{transactions{...on Transaction{block{...{transactions{block{number}}}}}}}}}";
    const named =
      "{block{...B}} fragment B on Block{transactions{...T}} fragment T on Transaction{block{transactions{block{number}}}}";
    for (const query of [inline, named]) {
      expect((await node.ask(query)).errors[0].message).toBe(
        "maximum query complexity exceeded 204 > 200",
      );
    }
    const thrice = `{block{...F ...F ...F}} fragment F on Block{${spread(70, (index) => `f${index}:number`)}}`;
    expect((await node.ask(thrice)).errors[0].message).toMatch(/exceeded 211 > 200$/);
  });

  it("can be changed by the operator", async () => {
    await using other = await start({ graphqlMaxComplexity: 3, graphqlMaxDepth: 2 });

    expect((await other.ask("{chainID gasPrice block{number}}")).errors[0].message).toMatch(
      /4 > 3$/,
    );
    expect((await other.ask("{block{parent{hash}}}")).errors[0].message).toBe(
      "maximum query depth exceeded 3 > 2",
    );
    expect((await other.ask("{block{number}}")).status).toBe(200);
  });

  it("is twenty levels, regardless of notation", async () => {
    const nest = (depth: number) =>
      `{block${"{parent".repeat(depth - 2)}{number}${"}".repeat(depth - 2)}}`;
    const inFragments = `{block{...F0}} ${spread(20, (index) => `fragment F${index} on Block{parent{...F${index + 1}}}`)} fragment F20 on Block{number}`;

    expect((await node.ask(nest(20))).status).toBe(200);
    expect((await node.ask(nest(21))).errors[0].message).toBe(
      "maximum query depth exceeded 21 > 20",
    );
    expect((await node.ask(inFragments)).errors[0].message).toBe(
      "maximum query depth exceeded 22 > 20",
    );
  });

  it("also covers variables", async () => {
    const query =
      "query($f:FilterCriteria!,$a:Address){logs(filter:$f){index} account(address:$a){balance}}";
    const deep = `${"[".repeat(100_000)}1${"]".repeat(100_000)}`;
    const wide = JSON.stringify(Array.from({ length: 50_000 }, () => "0x1"));

    for (const variables of [
      `{"f":${deep}}`,
      `{"f":{"topics":${deep}}}`,
      `{"f":{"topics":[${wide}]}}`,
      `{"f":{"addresses":${wide}},"a":"${BOB}"}`,
    ]) {
      const { status, errors } = await node.post(
        `{"query":${JSON.stringify(query)},"variables":${variables}}`,
      );
      expect(status).toBe(400);
      expect(errors.length).toBeLessThanOrEqual(11);
    }
  });
});

describe("a log filter", () => {
  it("has at most 4096 addresses", async () => {
    await using node = await start();
    const query = "query($f:FilterCriteria!){logs(filter:$f){index}}";
    const ask = (count: number) =>
      node.ask(query, { f: { addresses: Array(count).fill(BOB), topics: [] } });

    expect((await ask(4096)).status).toBe(200);
    expect((await ask(4097)).errors[0].message).toContain("at most 4096 addresses");
  });
});

describe("the size limit of a response", () => {
  it("is the limit of all responses", async () => {
    await using node = await start({ rpcMaxResponseSize: 65_536, graphqlMaxComplexity: 10_000 });
    const many = spread(5000, (index) => `field${index}:chainID`);

    const { status, errors } = await node.ask(`{${many}}`);

    expect([status, errors[0].message]).toEqual([400, "Response too large"]);
  });

  it("counts lists, including those of plugins", async () => {
    await using node = await start();

    expect((await node.ask("{many(count:1000){name}}")).data.many).toHaveLength(1000);
    for (const _ of ["once", "twice", "three times"]) {
      const { status, data, errors } = await node.ask("{chainID many(count:900000){name}}");
      expect({ status, data, count: errors.length }).toEqual({
        status: 400,
        data: undefined,
        count: 1,
      });
      expect(errors[0].message).toMatch(/would take more than 67108864 bytes/);
    }
  });

  it("counts errors", async () => {
    await using node = await start();
    await node.mine(Array.from({ length: 199 }, () => transfer()));
    const wrong = (count: number) =>
      `{blocks(from:1){transactions{${spread(count, (index) => `a${index}:to(block:999){address}`)}}}}`;

    for (const _ of ["once", "twice", "three times"]) {
      const many = await node.ask(wrong(99));
      expect({ status: many.status, count: many.errors.length }).toEqual({ status: 400, count: 1 });
      expect(many.errors[0].message).toBe("more than 100 fields could not be resolved");
    }
    const few = await node.ask("{block(number:1){transactionAt(index:0){to(block:9){code}}}}");
    expect({ status: few.status, count: few.errors.length }).toEqual({ status: 400, count: 1 });
  });

  it("counts operations, each of which is cached", { timeout: 30_000 }, async () => {
    await using node = await start();
    const query = `${spread(20, (index) => `query Q${index}{chainID}`)} #${"#".repeat(900_000)}`;

    for (let index = 0; index < 20; index++) {
      const body = JSON.stringify({ query, operationName: `Q${index}` });
      expect((await node.post(body)).data).toEqual({ chainID: "0x539" });
    }
  });

  it("counts simulations", async () => {
    await using node = await start({ graphqlMaxComplexity: 2000 });
    const calls = (count: number) =>
      `{block{${spread(count, (index) => `c${index}:estimateGas(data:{to:"${BOB}"})`)}}}`;

    expect((await node.ask(calls(200))).status).toBe(200);
    expect((await node.ask(calls(300))).errors[0].message).toMatch(/would take more than/);
  });
});

describe("documents", () => {
  it("never become code, regardless of their text", async () => {
    await using node = await start();
    // What graphql-jit takes for its own marker; text after it would be executed.
    const mark = "__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d";
    const text = `${mark}globalThis.broken=1`;
    const written = `{echo(text:"${text}")}`;
    const hidden = written.replace("__MAGIC", "\\u005f_MAGIC");

    for (const query of [written, written, written, hidden, hidden, hidden]) {
      expect((await node.ask(query)).data.echo).toContain("globalThis.broken");
    }
    for (const _ of ["once", "twice", "three times"]) {
      const { data } = await node.ask("query($t:String!){echo(text:$t)}", { t: text });
      expect(data.echo).toContain("globalThis.broken");
    }
    expect(globalThis).not.toHaveProperty("broken");
  });

  it("hide the text of errors from plugins", async () => {
    await using node = await start();

    for (const _ of ["once", "twice", "three times"]) {
      const { status, data, errors } = await node.ask("{chainID broken{name thrown}}");
      expect({ status, data }).toEqual({
        status: 400,
        data: { chainID: "0x539", broken: { name: "broken", thrown: null } },
      });
      expect(errors[0]).toMatchObject({
        message: "Exception while fetching data (/broken/thrown) : Internal error",
        extensions: { errorCode: -32603 },
      });
    }
  });

  it("are evicted before they take too much", { timeout: 30_000 }, async () => {
    await using node = await start();
    const padding = "#".repeat(1_000_000);

    // Each is cached until the sum is too large, and the response is the same, cached or not.
    for (let round = 0; round < 20; round++) {
      const { data } = await node.ask(`{chainID} ${padding}${round % 19}`);
      expect(data).toEqual({ chainID: "0x539" });
    }
  });
});

describe("the timeout of a query", () => {
  /** Resolves when its request is over, and records it. */
  function createPatient() {
    let ended = () => {};
    const over = new Promise<void>((done) => {
      ended = done;
    });
    let begun = () => {};
    const asked = new Promise<void>((done) => {
      begun = done;
    });
    const plugin = definePlugin({
      name: "patient",
      setup: ({ contribute }) =>
        contribute(graphqlSchema, {
          name: "patient",
          typeDefs: "extend type Query { wait: Int }",
          resolvers: {
            Query: {
              wait: (_: unknown, __: unknown, { signal }: GraphqlContext) => {
                begun();
                return new Promise<number>((done) =>
                  signal.addEventListener("abort", () => {
                    ended();
                    done(1);
                  }),
                );
              },
            },
          },
        }),
    });
    return { plugin, asked, over };
  }

  async function startPatient(clock?: FakeClock) {
    const patient = createPatient();
    const node = await createTestNode({
      plugins: [graphql, additions, patient.plugin],
      options: { graphqlHttpEnabled: true, graphqlHttpPort: 0 },
      ...(clock === undefined ? {} : { clock }),
    });
    const listener = node.node.rpc.endpoints().find(({ name }) => name === "graphql-http");
    return {
      ...patient,
      node,
      port: listener?.address?.port ?? 0,
      [Symbol.asyncDispose]: node.stop,
    };
  }

  it("is five minutes", async () => {
    const clock = new FakeClock(1_700_000_000_000);
    await using started = await startPatient(clock);
    const sent = sendHttp({ port: started.port, path: "/graphql", body: "{wait}" });
    await started.asked;

    await clock.advance(300_000);

    expect((await sent).status).toBe(504);
    await started.over;
  });

  it("ends when the caller leaves", async () => {
    await using started = await startPatient();
    const sent = request({ port: started.port, path: "/graphql", method: "POST" });
    sent.on("error", () => {});
    sent.end("{wait}");
    await started.asked;

    sent.destroy();

    await started.over;
  });
});

describe("additions of plugins", () => {
  const options = { graphqlHttpEnabled: true, graphqlHttpPort: 0 };
  const adding = (typeDefs: string, resolvers: object = {}) =>
    definePlugin({
      name: "adding",
      setup: ({ contribute }) =>
        contribute(graphqlSchema, { name: "mine", typeDefs, resolvers: resolvers as never }),
    });

  it("are called once per list, if they support batches", async () => {
    const asked: number[] = [];
    const counting = definePlugin({
      name: "counting",
      setup: ({ contribute }) =>
        contribute(graphqlSchema, {
          name: "counting",
          typeDefs: "extend type Transaction { place: Int! }",
          loaders: {
            Transaction: {
              place: async (queries) => {
                asked.push(queries.length);
                return queries.map((_, index) => index);
              },
            },
          },
        }),
    });
    await using node = await createTestNode({ plugins: [graphql, additions, counting], options });
    await node.mine([transfer(), transfer(), transfer()]);
    const listener = node.node.rpc.endpoints().find(({ name }) => name === "graphql-http");
    const port = listener?.address?.port ?? 0;

    const { text } = await sendHttp({
      port,
      path: "/graphql",
      body: "{block{transactions{place}}}",
    });

    expect(JSON.parse(text).data.block.transactions).toEqual([
      { place: 0 },
      { place: 1 },
      { place: 2 },
    ]);
    expect(asked).toEqual([3]);
  });

  it.each([
    ["text that is not a schema", "extend typ Block {", {}],
    ["an unknown type", "extend type Blok { a: Int }", {}],
    ["an existing field", "extend type Block { number: Int }", {}],
    ["a type of nothing", "type Nothing", {}],
    ["a resolver without a field", "extend type Block { a: Int }", { Block: { b: () => 1 } }],
  ])("prevent the start if they are invalid: %s", async (_, typeDefs, resolvers) => {
    const plugins = [graphql, additions, adding(typeDefs, resolvers)];

    await expect(createTestNode({ plugins, options })).rejects.toMatchObject({
      code: "GRAPHQL_SCHEMA_INVALID",
      message: expect.stringContaining('the GraphQL schema "mine" cannot be added: '),
    });
  });
});

describe("reading", () => {
  it("cost the same for a block with many transactions as for one with few", async () => {
    await using node = await start();
    await node.mine(
      [transfer()],
      Array.from({ length: 100 }, () => transfer()),
    );
    const { blocks } = node.node;
    const reads = { findBlock: 0, findReceipts: 0, findHeader: 0 };
    for (const name of ["findBlock", "findReceipts", "findHeader"] as const) {
      const read = blocks[name].bind(blocks) as (id: never) => never;
      Object.assign(blocks, {
        [name]: (id: never) => {
          reads[name] += 1;
          return read(id);
        },
      });
    }
    const query = (number: number) =>
      `{block(number:${number}){transactions{hash from{address} to{address} status gasUsed logs{index} block{number}}}}`;

    await node.ask(query(1));
    const few = { ...reads };
    const { data } = await node.ask(query(2));

    expect(data.block.transactions).toHaveLength(100);
    expect(few).toEqual({ findBlock: 1, findReceipts: 1, findHeader: 1 });
    expect(reads).toEqual({ findBlock: 2, findReceipts: 2, findHeader: 2 });
  });
});
