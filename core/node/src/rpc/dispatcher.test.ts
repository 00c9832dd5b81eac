import type { Codec, Compatibility } from "@plinth/core";
import {
  followed,
  type Method,
  type Methods,
  method,
  RpcError,
  raw,
  stream,
  t,
} from "@plinth/core";
import { activities, HookFactory } from "@plinth/core/kernel";
import type { CallBudget, Part } from "@plinth/core/rpc";
import { COMPATIBILITIES, createRpcHooks, Endpoint } from "@plinth/core/rpc";
import { recordLogs } from "@plinth/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dispatcher } from "./dispatcher.js";
import { Namespaces } from "./namespaces.js";

const PARSE_ERROR = { code: -32700, message: "Parse error" };
const INVALID_REQUEST = { code: -32600, message: "Invalid Request" };
const INTERNAL_ERROR = { code: -32603, message: "Internal error" };
const METHOD_NOT_ENABLED = {
  code: -32604,
  message: expect.stringContaining("Method not enabled: "),
};

describe("a request", () => {
  it("gets a response with its id and its result", async () => {
    const { send } = setUp();

    const sent = await send('{"jsonrpc":"2.0","id":1,"method":"test_echo","params":["hello"]}');

    expect(sent).toEqual({
      outcome: "answered",
      text: '{"jsonrpc":"2.0","id":1,"result":"hello"}',
    });
  });

  it.each(["", '"jsonrpc":"1.0",', '"jsonrpc":null,', '"jsonrpc":5,', '"jsonrpc":{},'])(
    "may have any version: %j",
    async (version) => {
      const { send } = setUp();

      const { text } = await send(`{${version}"id":1,"method":"test_echo"}`);

      expect(text).toBe('{"jsonrpc":"2.0","id":1,"result":null}');
    },
  );

  it("may have other members", async () => {
    const { sendJson } = setUp();

    const { json } = await sendJson({ id: 1, method: "test_echo", extra: { id: 2 }, networkId: 5 });

    expect(json).toEqual({ jsonrpc: "2.0", id: 1, result: null });
  });

  it("may be surrounded by whitespace", async () => {
    const { send } = setUp();

    const { outcome } = await send('\n\t {"id":1,\r\n"method" : "test_echo"} \n');

    expect(outcome).toBe("answered");
  });

  it.each(["null", "5", "true", "{}", "[]", undefined])(
    "whose method is %s is invalid",
    async (method) => {
      const { send, called } = setUp();

      const { outcome, text } = await send(
        method === undefined ? '{"id":1}' : `{"id":1,"method":${method}}`,
      );

      expect(outcome).toBe("invalid");
      expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: 1, error: INVALID_REQUEST });
      expect(called).toEqual([]);
    },
  );

  it.each(["null", "[]", undefined])("may have no parameters: %s", async (params) => {
    const { send, called } = setUp();

    await send(`{"id":1,"method":"test_echo"${params === undefined ? "" : `,"params":${params}`}}`);

    expect(called).toEqual([["echo", { value: undefined }]]);
  });

  it.each(['{"value":"hello"}', "{}", "5", '"hello"', "true"])(
    "with the parameters %s is invalid",
    async (params) => {
      const { send, called } = setUp();

      const { outcome, text } = await send(`{"id":1,"method":"test_echo","params":${params}}`);

      expect(outcome).toBe("invalid");
      expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: 1, error: INVALID_REQUEST });
      expect(called).toEqual([]);
    },
  );

  it("with two members of one name has the last of them", async () => {
    const { send } = setUp();

    const { text } = await send(
      '{"id":1,"method":"test_fail","params":["a"],"id":12345678901234567890,"params":["b"],"method":"test_echo"}',
    );

    expect(text).toBe('{"jsonrpc":"2.0","id":12345678901234567890,"result":"b"}');
  });

  it("cannot borrow members from __proto__", async () => {
    const { send, called } = setUp();

    const { text } = await send('{"__proto__":{"id":1,"method":"test_echo"}}');

    expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: null, error: INVALID_REQUEST });
    expect(called).toEqual([]);
  });

  it("may contain __proto__ without any effect", async () => {
    const { send } = setUp();

    const { text } = await send(
      '{"__proto__":{"method":"test_fail"},"id":1,"method":"test_echo","params":[{"__proto__":{"polluted":1}}]}',
    );

    expect(text).toBe('{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"polluted":1}}}');
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("an id", () => {
  it.each([
    ["zero", "0"],
    ["a negative number", "-7"],
    ["the largest safe integer", "9007199254740991"],
    ["an integer just above it", "9007199254740993"],
    ["an integer of sixty digits", "1".repeat(60)],
    ["a negative integer of many digits", "-12345678901234567890"],
    ["a fraction", "1.5"],
    ["a fraction of many digits", "0.1234567890123456789012345"],
    ["a number out of range", "1e400"],
    ["a text", '"abc"'],
    ["an empty text", '""'],
    ["a text that is a number", '"1"'],
    ["a text with escapes", '"a\\"b\\\\c\\n"'],
    ["a text with any letters", '"ключ 🔑"'],
    ["null", "null"],
  ])("is returned unchanged: %s", async (_, id) => {
    const { send } = setUp();

    const result = await send(`{"id":${id},"method":"test_echo"}`);
    const error = await send(`{"id":${id},"method":"test_unknown"}`);

    expect(result.text).toBe(`{"jsonrpc":"2.0","id":${id},"result":null}`);
    expect(error.text).toMatch(`{"jsonrpc":"2.0","id":${id},"error":`);
  });

  it("is returned unchanged, whatever number it is", async () => {
    const { send } = setUp();

    await fc.assert(
      fc.asyncProperty(fc.bigInt(), async (id) => {
        const { text } = await send(`{"id":${id},"method":"test_echo"}`);

        expect(text).toBe(`{"jsonrpc":"2.0","id":${id},"result":null}`);
      }),
    );
  });

  it("of null makes a call like any other", async () => {
    const { sendJson, called } = setUp();

    const { json } = await sendJson({ id: null, method: "test_echo", params: ["hello"] });

    expect(json).toEqual({ jsonrpc: "2.0", id: null, result: "hello" });
    expect(called).toHaveLength(1);
  });

  it.each(["true", "false", "{}", '{"a":1}', "[]", "[1]"])(
    "of %s makes the request invalid",
    async (id) => {
      const { send, called } = setUp();

      const { outcome, text } = await send(`{"id":${id},"method":"test_echo"}`);

      expect(outcome).toBe("invalid");
      expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: null, error: INVALID_REQUEST });
      expect(called).toEqual([]);
    },
  );

  it.each([
    ["0", "0"],
    ["-5", "-5"],
    ["2147483647", "2147483647"],
    ["-2147483648", "-2147483648"],
    ["2147483648", "null"],
    ["-2147483649", "null"],
    ["12345678901", "null"],
    ["1.5", "null"],
    ['"a"', "null"],
    ["null", "null"],
  ])(
    "of an invalid request is returned only if it is a small integer: %s → %s",
    async (id, echo) => {
      const { send } = setUp();

      const { text } = await send(`{"id":${id},"method":null}`);

      expect(text).toBe(
        `{"jsonrpc":"2.0","id":${echo},"error":${JSON.stringify(INVALID_REQUEST)}}`,
      );
    },
  );
});

describe("a notification", () => {
  it.each(["test_echo", "test_unknown", "test_fail"])(
    "is neither executed nor gets a response: %s",
    async (method) => {
      const { sendJson, called } = setUp();

      const { outcome, text } = await sendJson({ jsonrpc: "2.0", method, params: ["hello"] });

      expect({ outcome, text }).toEqual({ outcome: "silent", text: "" });
      expect(called).toEqual([]);
    },
  );

  it("of the wrong shape is an invalid request", async () => {
    const { sendJson } = setUp();

    const { outcome, json } = await sendJson({ method: "test_echo", params: 5 });

    expect(outcome).toBe("invalid");
    expect(json).toEqual({ jsonrpc: "2.0", id: null, error: INVALID_REQUEST });
  });
});

describe("a body without a request", () => {
  it.each(["", " ", "{", "nonsense", "{'id':1}", '{"id":1}}', "[1", "\u0000", '\ufeff{"id":1}'])(
    "that is not JSON is a parse error: %j",
    async (body) => {
      const { send } = setUp();

      const { outcome, text } = await send(body);

      expect(outcome).toBe("unparsable");
      expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: null, error: PARSE_ERROR });
    },
  );

  it.each(["5", '"text"', "true", "null"])(
    "that is neither object nor list is a parse error: %s",
    async (body) => {
      const { send } = setUp();

      const { outcome, text } = await send(body);

      expect(outcome).toBe("unparsable");
      expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: null, error: PARSE_ERROR });
    },
  );

  it.each(["[]", " [ ] "])("that is an empty batch is an invalid request: %s", async (body) => {
    const { send } = setUp();

    const { outcome, text } = await send(body);

    expect(outcome).toBe("unparsable");
    expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: null, error: INVALID_REQUEST });
  });
});

describe("a batch", () => {
  it("is executed one after another with responses in the same order", async () => {
    const seen: string[] = [];
    const { sendJson } = setUp({
      slow: method({
        summary: "Takes its time.",
        result: t.text,
        async handle() {
          seen.push("slow begins");
          await new Promise((resolve) => setImmediate(resolve));
          seen.push("slow ends");
          return "slow";
        },
      }),
      quick: method({
        summary: "Takes none.",
        result: t.text,
        handle() {
          seen.push("quick");
          return "quick";
        },
      }),
    });

    const { outcome, json } = await sendJson([
      { id: "a", method: "test_slow" },
      { id: "b", method: "test_quick" },
    ]);

    expect(outcome).toBe("answered");
    expect(json).toEqual([
      { jsonrpc: "2.0", id: "a", result: "slow" },
      { jsonrpc: "2.0", id: "b", result: "quick" },
    ]);
    expect(seen).toEqual(["slow begins", "slow ends", "quick"]);
  });

  it("of one request returns a list of one", async () => {
    const { send } = setUp();

    const { text } = await send('[{"id":1,"method":"test_echo"}]');

    expect(text).toBe('[{"jsonrpc":"2.0","id":1,"result":null}]');
  });

  it("omits notifications", async () => {
    const { sendJson, called } = setUp();

    const { json } = await sendJson([
      { method: "test_echo" },
      { id: 1, method: "test_echo" },
      { method: "test_echo" },
    ]);

    expect(json).toEqual([{ jsonrpc: "2.0", id: 1, result: null }]);
    expect(called).toHaveLength(1);
  });

  it("of notifications only returns an empty list", async () => {
    const { sendJson } = setUp();

    const { outcome, text } = await sendJson([{ method: "test_echo" }, { method: "test_echo" }]);

    expect({ outcome, text }).toEqual({ outcome: "answered", text: "[]" });
  });

  it("responds to members that are not objects in their place", async () => {
    const { send } = setUp();

    const { outcome, text } = await send('[1,"a",{"id":1,"method":"test_echo"},null,true,[],[{}]]');

    const invalid = { jsonrpc: "2.0", id: null, error: INVALID_REQUEST };
    const result = { jsonrpc: "2.0", id: 1, result: null };
    expect(outcome).toBe("answered");
    expect(JSON.parse(text)).toEqual([
      invalid,
      invalid,
      result,
      invalid,
      invalid,
      invalid,
      invalid,
    ]);
  });

  it("gets a response whatever the outcome of its members", async () => {
    const { sendJson } = setUp({
      refuse: method({
        summary: "Refuses.",
        result: t.text,
        handle() {
          throw RpcError.unauthorized();
        },
      }),
    });

    const { outcome, json } = await sendJson([
      { id: 1, method: "test_refuse" },
      { id: 2, method: "test_unknown" },
      { id: 3, method: null },
    ]);

    expect(outcome).toBe("answered");
    expect(json).toMatchObject([
      { id: 1, error: { code: -40100 } },
      { id: 2, error: { code: -32601 } },
      { id: 3, error: { code: -32600 } },
    ]);
  });

  it("returns every member's own id, of any size and at any position", async () => {
    const { send } = setUp();
    const members = [
      '{"id":9007199254740993,"method":"test_echo"}',
      "7",
      '[{"id":8}]',
      '{"method":"test_echo","params":[{"id":9}]}',
      '"x"',
      '{"method":"test_echo","id":12345678901234567890.5}',
    ];

    const { text } = await send(`[${members.join(", ")}]`);

    const ids = [...text.matchAll(/"id":([^,]*),/g)].map(([, id]) => id);
    expect(ids).toEqual(["9007199254740993", "null", "null", "null", "12345678901234567890.5"]);
  });

  it("may be as large as the limit", async () => {
    const { sendJson } = setUp({}, { maxBatchSize: 2 });

    const { json } = await sendJson(requests(2));

    expect(json).toHaveLength(2);
  });

  it("above the limit is rejected as a whole, with one object", async () => {
    const { sendJson, called } = setUp({}, { maxBatchSize: 2 });

    const { outcome, json } = await sendJson(requests(3));

    expect(outcome).toBe("answered");
    expect(json).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32005, message: "Number of requests exceeds max batch size" },
    });
    expect(called).toEqual([]);
  });

  it.each([0, -1])("has no limit when the limit is %i", async (maxBatchSize) => {
    const { sendJson } = setUp({}, { maxBatchSize });

    const { json } = await sendJson(requests(1_500));

    expect(json).toHaveLength(1_500);
  });

  it("ends when the caller has disconnected", async () => {
    const leave = new AbortController();
    const { sendJson, called } = setUp(
      {
        leave: method({
          summary: "Takes its time, in which the caller leaves.",
          result: t.json,
          handle: async () => leave.abort(),
        }),
      },
      { closed: leave.signal },
    );

    await sendJson([{ id: 1, method: "test_leave" }, ...requests(2)]);

    expect(called).toEqual([]);
  });
});

describe("deep JSON", () => {
  const DEPTH = 990;
  const deepList = `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`;
  const deepObject = `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`;

  it("in place of a batch is an invalid member", async () => {
    const { send } = setUp();

    const { text } = await send(deepList);

    expect(JSON.parse(text)).toEqual([{ jsonrpc: "2.0", id: null, error: INVALID_REQUEST }]);
  });

  it("in place of a request is an invalid request", async () => {
    const { send } = setUp();

    const { outcome, text } = await send(deepObject);

    expect(outcome).toBe("invalid");
    expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: null, error: INVALID_REQUEST });
  });

  it.each([
    ["a list", deepList],
    ["an object", deepObject],
  ])("in parameters reaches the handler: %s", async (_, value) => {
    const { send, called } = setUp();

    const { outcome, text } = await send(
      `{"method":"test_ignore","params":[${value}],"id":12345678901234567890}`,
    );

    expect(outcome).toBe("answered");
    expect(text).toBe('{"jsonrpc":"2.0","id":12345678901234567890,"result":"done"}');
    expect(called).toHaveLength(1);
  });

  it.each([
    ["in place of a batch", (deep: string) => deep],
    ["in place of a request", (deep: string) => `{"a":${deep}}`],
    ["in parameters", (deep: string) => `{"id":1,"method":"test_ignore","params":[${deep}]}`],
    ["as an id", (deep: string) => `{"id":${deep},"method":"test_ignore"}`],
  ])("above the limit cannot be parsed: %s", async (_, place) => {
    const { send, called } = setUp();
    const depth = 1001;

    const { outcome, text } = await send(place("[".repeat(depth) + "]".repeat(depth)));

    expect(outcome).toBe("unparsable");
    expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: null, error: PARSE_ERROR });
    expect(called).toEqual([]);
  });
});

describe("the method", () => {
  it.each(["test_unknown", "unknown_echo", "TEST_echo", "test_Echo", "test", "", "__proto__"])(
    "%j is not found when no plugin has it",
    async (method) => {
      const { sendJson } = setUp();

      const { outcome, json } = await sendJson({ id: 1, method });

      expect(outcome).toBe("answered");
      expect(json).toEqual({
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32601, message: "Method not found" },
      });
    },
  );

  it("is not enabled when its namespace is not enabled here", async () => {
    const { sendJson, called } = setUp({}, { namespaces: ["other"] });

    const { outcome, json } = await sendJson({ id: 1, method: "test_echo" });

    expect(outcome).toBe("answered");
    expect(json).toEqual({ jsonrpc: "2.0", id: 1, error: METHOD_NOT_ENABLED });
    expect(called).toEqual([]);
  });

  it("is not enabled for callers that cannot be pushed to, if it pushes", async () => {
    const push = method({
      summary: "Pushes.",
      caller: "duplex",
      result: t.text,
      handle: () => "pushed",
    });

    const oneWay = await setUp({ push }).sendJson({ id: 1, method: "test_push" });
    const duplex = await setUp({ push }, { duplex: true }).sendJson({ id: 1, method: "test_push" });

    expect(oneWay.json).toMatchObject({ error: METHOD_NOT_ENABLED });
    expect(duplex.json).toMatchObject({ result: "pushed" });
  });

  it("is not enabled, with the reason, if its plugin is idle", async () => {
    const { sendJson, called } = setUp({}, { idle: "this chain has no signers" });

    const { json } = await sendJson({ id: 1, method: "test_echo" });

    expect(json).toMatchObject({
      error: { code: -32604, message: "Method not enabled: this chain has no signers" },
    });
    expect(called).toEqual([]);
  });

  it("is not enabled, without a reason, if callers expect Besu's message", async () => {
    const { sendJson } = setUp(
      {},
      { idle: "this chain has no signers", compatibility: COMPATIBILITIES.besu },
    );

    const { json } = await sendJson({ id: 1, method: "test_echo" });

    expect(json.error).toEqual({ code: -32604, message: "Method not enabled" });
  });

  it("is not found once its plugin was removed", async () => {
    const { sendJson, disabled } = setUp();

    disabled.add("rpc-test");
    const { json } = await sendJson({ id: 1, method: "test_echo" });

    expect(json).toMatchObject({ error: { code: -32601 } });
  });

  it("of a plugin that is disabled during a batch is not found from then on", async () => {
    const disable = method({
      summary: "Disables its plugin.",
      result: t.text,
      handle() {
        disabled.add("rpc-test");
        return "done";
      },
    });
    const { sendJson, disabled } = setUp({ disable });

    const { json } = await sendJson([
      { id: 1, method: "test_disable" },
      { id: 2, method: "test_disable" },
    ]);

    expect(json).toMatchObject([{ result: "done" }, { error: { code: -32601 } }]);
  });

  it("receives its plugin's dependencies, and the caller", async () => {
    let given: unknown;
    const { sendJson, client, call } = setUp({
      look: method({
        summary: "Inspects its call.",
        result: t.json,
        handle(_, call) {
          given = call;
        },
      }),
    });

    await sendJson({ id: 1, method: "test_look" });

    expect(given).toBe(call);
    expect(call).toMatchObject({ client });
  });
});

describe("parameters", () => {
  const sum = method({
    summary: "Adds up.",
    params: { a: t.quantity, b: t.optional(t.quantity, 10n) },
    result: t.quantity,
    handle: ({ a, b }) => a + b,
  });

  it("are decoded by position, and the result is encoded", async () => {
    const { sendJson } = setUp({ sum });

    const { json } = await sendJson({ id: 1, method: "test_sum", params: ["0x1", "0x2"] });

    expect(json).toMatchObject({ result: "0x3" });
  });

  it.each([[["0x1"]], [["0x1", null]]])("have defaults if they are omitted: %j", async (params) => {
    const { sendJson } = setUp({ sum });

    const { json } = await sendJson({ id: 1, method: "test_sum", params });

    expect(json).toMatchObject({ result: "0xb" });
  });

  it("beyond the declared ones are ignored", async () => {
    const { sendJson } = setUp({ sum });

    const { json } = await sendJson({ id: 1, method: "test_sum", params: ["0x1", "0x2", "junk"] });

    expect(json).toMatchObject({ result: "0x3" });
  });

  it.each<[string, Method<unknown>, unknown[], string]>([
    ["that is missing", sum, [], "Invalid params: a: expected a quantity such as 0x1f"],
    ["of another kind", sum, [5], "Invalid params: a: expected a quantity such as 0x1f"],
    ["that is null", sum, [null, "0x1"], "Invalid params: a: expected a quantity such as 0x1f"],
    ["at a later place", sum, ["0x1", "1"], "Invalid params: b: expected a quantity such as 0x1f"],
    [
      "deep inside an object",
      taking({ call: t.object({ to: t.object({ size: t.integer() }) }) }),
      [{ to: { size: "5" } }],
      "Invalid params: call.to.size: expected an integer",
    ],
    [
      "inside a list",
      taking({ topics: t.array(t.text) }),
      [["a", 5]],
      "Invalid params: topics[1]: expected text",
    ],
    [
      "inside a record",
      taking({ limits: t.record(t.integer()) }),
      [{ a: "many" }],
      "Invalid params: limits.a: expected an integer",
    ],
    [
      "of a kind with its own message",
      taking({ to: t.address }),
      ["0xz"],
      "Invalid address params",
    ],
    [
      "of a kind with its own message, inside another",
      taking({ calls: t.array(t.object({ input: t.data })) }),
      [[{ input: "0x1" }]],
      "Invalid data params",
    ],
  ])("are rejected with one %s", async (_, tested, params, message) => {
    const { sendJson } = setUp({ tested });

    const { outcome, json } = await sendJson({ id: 1, method: "test_tested", params });

    expect(outcome).toBe("answered");
    expect(json).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32602, message: expect.stringContaining(message) },
    });
  });

  it.each([
    ["plinth", 'Invalid address params: to: expected an address (20 bytes of hex), not "0xf39"'],
    ["spec", 'Invalid address params: to: expected an address (20 bytes of hex), not "0xf39"'],
    ["besu", undefined],
  ] as const)("in mode %s report what is wrong with a short address: %s", async (mode, message) => {
    const { sendJson } = setUp(
      { tested: taking({ to: t.address }) },
      { compatibility: COMPATIBILITIES[mode] },
    );

    const { json } = await sendJson({ id: 1, method: "test_tested", params: ["0xf39"] });

    expect(json.error?.message).toBe(message);
  });

  it("that make a codec fail in another way are an internal error", async () => {
    const broken = { ...t.text, decode: () => JSON.parse("{") };
    const { sendJson, logs } = setUp({ broken: taking({ value: broken }) });

    const { json } = await sendJson({ id: 1, method: "test_broken", params: ["x"] });

    expect(json).toMatchObject({ error: INTERNAL_ERROR });
    expect(logs.entries).toMatchObject([{ level: "error", fields: { owner: "rpc-test" } }]);
  });
});

describe("a parameter that is checked first", () => {
  const INVALID_BLOCK = "Invalid block, unable to parse RLP";
  const INVALID_ADDRESS = "Invalid address params";
  const ADDRESS = `0x${"ab".repeat(20)}`;

  it.each([
    ["is invalid like the others", ["bob", "newest"], INVALID_BLOCK, INVALID_ADDRESS],
    ["is missing and another is invalid", ["bob"], INVALID_BLOCK, INVALID_ADDRESS],
    ["is missing with all others", [], INVALID_BLOCK, INVALID_ADDRESS],
    ["is valid and another is invalid", ["bob", "latest"], INVALID_ADDRESS, INVALID_ADDRESS],
    ["is the only invalid one", [ADDRESS, "newest"], INVALID_BLOCK, INVALID_BLOCK],
  ])("decides the error in mode besu, if it %s", async (_, params, inBesu, named) => {
    const state = taking({ address: t.address, block: t.optional(t.blockId, "latest") });
    const ask = async (compatibility: Compatibility) => {
      const { sendJson } = setUp({ state }, { compatibility });
      return (await sendJson({ id: 1, method: "test_state", params })).json.error;
    };

    expect(await ask(COMPATIBILITIES.besu)).toEqual({ code: -32602, message: inBesu });
    for (const compatibility of [COMPATIBILITIES.plinth, COMPATIBILITIES.spec]) {
      expect(await ask(compatibility)).toEqual({
        code: -32602,
        message: expect.stringContaining(named),
      });
    }
  });

  it("may be missing if nothing else is invalid", async () => {
    const { sendJson } = setUp({
      state: method({
        summary: "Takes an account and a block.",
        params: { address: t.address, block: t.optional(t.blockId, "latest") },
        result: t.json,
        handle: ({ block }) => block,
      }),
    });

    const { json } = await sendJson({ id: 1, method: "test_state", params: [ADDRESS] });

    expect(json.result).toBe("latest");
  });
});

describe("a method that counts its parameters", () => {
  const none = taking({}, { exactParams: true });
  const one = taking({ value: t.optional(t.text) }, { exactParams: true });

  it.each<[string, Method<unknown>, unknown]>([
    ["none for none", none, undefined],
    ["null for none", none, null],
    ["an empty list for none", none, []],
    ["a leading null for none", none, [null]],
    ["one for one", one, ["a"]],
  ])("takes %s", async (_, counted, params) => {
    const { sendJson } = setUp({ counted });

    const { json } = await sendJson({ id: 1, method: "test_counted", params });

    expect(json).toMatchObject({ result: "done" });
  });

  it.each<[string, Method<unknown>, unknown]>([
    ["one for none", none, ["a"]],
    ["two nulls for none", none, [null, null]],
    ["none for one", one, []],
    ["a leading null for one", one, [null]],
    ["two for one", one, ["a", "b"]],
  ])("refuses %s", async (_, counted, params) => {
    const { sendJson } = setUp({ counted });

    const { json } = await sendJson({ id: 1, method: "test_counted", params });

    const names = counted === one ? "1 (value)" : "0";
    const count = (Array.isArray(params) ? params : []).length;
    const isNone = count === 1 && Object(params)[0] === null;
    expect(json.error).toEqual({
      code: -32602,
      message: `Invalid number of params: expected ${names}, not ${isNone ? 0 : count}`,
    });
  });
});

describe("a handler", () => {
  it("that throws an RpcError has it sent to the caller, and nothing is logged", async () => {
    const { sendJson, logs } = setUp({
      fail: throwing(new RpcError(3, "Execution reverted", "0x08c379a0")),
    });

    const { outcome, json } = await sendJson({ id: 1, method: "test_fail" });

    expect(outcome).toBe("answered");
    expect(json).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: 3, message: "Execution reverted", data: "0x08c379a0" },
    });
    expect(logs.entries).toEqual([]);
  });

  it.each([
    [-32600, "invalid"],
    [-32700, "invalid"],
    [-40100, "refused"],
    [-32000, "answered"],
  ])("decides with the code %i the outcome for the listener: %s", async (code, expected) => {
    const { sendJson } = setUp({ fail: throwing(new RpcError(code, "No")) });

    const { outcome } = await sendJson({ id: 1, method: "test_fail" });

    expect(outcome).toBe(expected);
  });

  it.each([
    ["an error", new TypeError("a secret path")],
    ["a text", "a secret path"],
    ["nothing", undefined],
    ["null", null],
    ["a number", 5],
    ["an object that looks like an RpcError", { rpcCode: 1, message: "a secret path" }],
  ])("that throws %s is an internal error without details, and fully logged", async (_, error) => {
    const { sendJson, logs } = setUp({ fail: throwing(error) });

    const { json } = await sendJson({ id: 1, method: "test_fail" });

    expect(json).toEqual({ jsonrpc: "2.0", id: 1, error: INTERNAL_ERROR });
    expect(logs.entries).toEqual([
      {
        logger: "rpc",
        level: "error",
        message: expect.stringMatching(/^test_fail failed: /),
        fields: { owner: "rpc-test", error },
      },
    ]);
  });

  it("that rejects is treated like one that throws", async () => {
    const error = new Error("later");
    const { sendJson, logs } = setUp({
      fail: method({ summary: "Fails.", result: t.text, handle: () => Promise.reject(error) }),
    });

    const { json } = await sendJson({ id: 1, method: "test_fail" });

    expect(json).toMatchObject({ error: INTERNAL_ERROR });
    expect(logs.entries).toMatchObject([{ fields: { error } }]);
  });

  it("whose error has data that is not JSON is an internal error", async () => {
    const { sendJson, logs } = setUp({ fail: throwing(new RpcError(3, "Reverted", { gas: 5n })) });

    const { json } = await sendJson({ id: 1, method: "test_fail" });

    expect(json).toEqual({ jsonrpc: "2.0", id: 1, error: INTERNAL_ERROR });
    expect(logs.entries).toMatchObject([{ level: "error", fields: { owner: "rpc-test" } }]);
  });

  it("whose result does not match its codec is an internal error", async () => {
    const { sendJson, logs } = setUp({ wrong: answering(t.quantity, undefined) });

    const { json } = await sendJson({ id: 1, method: "test_wrong" });

    expect(json).toMatchObject({ error: INTERNAL_ERROR });
    expect(logs.entries).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a function", () => {}],
    ["a symbol", Symbol("mark")],
  ])("that returns %s responds with null", async (_, answer) => {
    const { send } = setUp({ odd: answering(t.json, answer) });

    const { text } = await send('{"id":1,"method":"test_odd"}');

    expect(text).toBe('{"jsonrpc":"2.0","id":1,"result":null}');
  });
});

describe("a result that is already JSON", () => {
  async function* chunks() {
    yield "[1,";
    yield Buffer.from('"zwei"');
    yield ",3]";
  }
  const pieces = {
    raw: answering(t.json, raw(Buffer.from('{"a":1}'))),
    stream: method({ summary: "Streams.", result: t.json, handle: () => stream(chunks()) }),
  };

  it("is sent as bytes, unchanged", async () => {
    const { dispatcher, client } = setUp(pieces);

    const { outcome, parts } = await dispatcher.answer('{"id":1,"method":"test_raw"}', client);

    expect(outcome).toBe("answered");
    expect(parts).toEqual(['{"jsonrpc":"2.0","id":1,"result":', Buffer.from('{"a":1}'), "}"]);
  });

  it("is sent in chunks, in order", async () => {
    const { send } = setUp(pieces);

    const { text } = await send('{"id":1,"method":"test_stream"}');

    expect(text).toBe('{"jsonrpc":"2.0","id":1,"result":[1,"zwei",3]}');
  });

  it("keeps its position in a batch", async () => {
    const { sendJson } = setUp(pieces);

    const { json } = await sendJson([
      { id: 1, method: "test_stream" },
      { id: 2, method: "test_echo", params: ["text"] },
      { id: 3, method: "test_raw" },
      { id: 4, method: "test_raw" },
    ]);

    expect(json).toMatchObject([
      { id: 1, result: [1, "zwei", 3] },
      { id: 2, result: "text" },
      { id: 3, result: { a: 1 } },
      { id: 4, result: { a: 1 } },
    ]);
  });

  it("does not start before it is read", async () => {
    let begun = false;
    const lazy = (async function* () {
      begun = true;
      yield "1";
    })();
    const { dispatcher, client } = setUp({ lazy: answering(t.json, stream(lazy)) });

    const { parts } = await dispatcher.answer('{"id":1,"method":"test_lazy"}', client);
    expect(begun).toBe(false);
    await join(parts);

    expect(begun).toBe(true);
  });

  it("that fails midway notifies only its readers", async () => {
    const error = new Error("the disk is gone");
    const broken = (async function* () {
      yield "[1,";
      throw error;
    })();
    const { dispatcher, client, logs } = setUp({
      broken: answering(t.json, stream(broken)),
    });

    const { outcome, parts } = await dispatcher.answer('{"id":1,"method":"test_broken"}', client);

    expect(outcome).toBe("answered");
    await expect(join(parts)).rejects.toBe(error);
    expect(logs.entries).toEqual([]);
  });
});

describe("a result with a callback", () => {
  it.each([
    [
      "single",
      '{"id":1,"method":"test_first"}',
      '{"jsonrpc":"2.0","id":1,"result":"one"}',
      ["first"],
    ],
    [
      "batched",
      '[{"id":1,"method":"test_first"},{"id":2,"method":"test_second"}]',
      '[{"jsonrpc":"2.0","id":1,"result":"one"},{"jsonrpc":"2.0","id":2,"result":"two"}]',
      ["first", "second"],
    ],
  ])("waits for the listener to report that it was sent: %s", async (_, body, text, expected) => {
    const done: string[] = [];
    const { dispatcher, client } = setUp({
      first: answering(
        t.text,
        followed("one", () => done.push("first")),
      ),
      second: answering(
        t.text,
        followed("two", () => done.push("second")),
      ),
    });

    const { parts, sent } = await dispatcher.answer(body, client);

    expect([await join(parts), done]).toEqual([text, []]);
    sent?.();
    expect(done).toEqual(expected);
  });

  it("is not called back if its caller gets an error instead", async () => {
    const done: string[] = [];
    const { dispatcher, client } = setUp({
      first: answering(
        t.text,
        followed("one".repeat(10_000), () => done.push("first")),
      ),
    });
    const budget = { maxBatchBytes: 1, claim: () => false, release() {}, exceeded() {} };

    const { parts, sent } = await dispatcher.answer('{"id":1,"method":"test_first"}', {
      ...client,
      budget: budget as never,
    });
    sent?.();

    expect(JSON.parse(await join(parts))).toMatchObject({ error: { code: -32003 } });
    expect(done).toEqual([]);
  });
});

describe("what occupied the thread", () => {
  const slow = (end: () => unknown) =>
    method({
      summary: "Takes a while.",
      result: t.json,
      handle() {
        const until = performance.now() + 30;
        while (performance.now() < until);
        return end();
      },
    });
  const fail = () => {
    throw new RpcError(3, "reverted");
  };

  it.each<[string, () => unknown, (hooks: ReturnType<typeof setUp>["hooks"]) => void]>([
    ["synchronous", () => 1, () => {}],
    ["failing", fail, () => {}],
    ["asynchronous", () => Promise.resolve(1), () => {}],
    [
      "authorized later",
      () => 1,
      ({ authorize }) => authorize.facade("guard").tap(async () => undefined),
    ],
    ["explained later", fail, ({ failed }) => failed.facade("names").tap(async () => undefined)],
  ])("is the method of a call, %s", async (_, end, tap) => {
    const { send, hooks } = setUp({ slow: slow(end) });
    tap(hooks);
    activities.turn();

    await send('{"id":1,"method":"test_slow"}');

    expect(activities.turn()).toMatchObject({ what: "test_slow" });
  });
});

describe("rpc.authorize", () => {
  it("is called with the decoded parameters, before the handler", async () => {
    const { sendJson, hooks, client, called } = setUp();
    const seen: unknown[] = [];
    hooks.authorize.facade("guard").tap(({ method, permission, client, endpoint, params }) => {
      seen.push({ method, permission, client, endpoint, params }, [...called]);
      return undefined;
    });

    const { json } = await sendJson({ id: 1, method: "test_echo", params: ["hello"] });

    expect(seen).toEqual([
      {
        method: "test_echo",
        permission: "test:echo",
        client,
        endpoint: client.endpoint,
        params: { value: "hello" },
      },
      [],
    ]);
    expect(json).toMatchObject({ result: "hello" });
  });

  it("receives the permission that a method declares", async () => {
    const { sendJson, hooks } = setUp({ odd: taking({}, { permission: "odd:one" }) });
    const seen: string[] = [];
    hooks.authorize.facade("guard").tap(({ permission }) => {
      seen.push(permission);
      return undefined;
    });

    await sendJson({ id: 1, method: "test_odd" });

    expect(seen).toEqual(["odd:one"]);
  });

  it("rejects with its own error, and the handler does not run", async () => {
    const { sendJson, hooks, called } = setUp();
    hooks.authorize.facade("budget").tap(() => new RpcError(-32099, "Too many calls"));

    const { outcome, json } = await sendJson({ id: 1, method: "test_echo" });

    expect(outcome).toBe("answered");
    expect(json).toMatchObject({ error: { code: -32099, message: "Too many calls" } });
    expect(called).toEqual([]);
  });

  it("may reject as unauthorized, which listeners see", async () => {
    const { sendJson, hooks } = setUp();
    hooks.authorize.facade("guard").tap(() => RpcError.unauthorized());

    const { outcome, json } = await sendJson({ id: 1, method: "test_echo" });

    expect(outcome).toBe("refused");
    expect(json).toMatchObject({ error: { code: -40100, message: "Unauthorized" } });
  });

  it("may also reject by throwing its error", async () => {
    const { sendJson, hooks } = setUp();
    hooks.authorize.facade("guard").tap(() => {
      throw RpcError.unauthorized();
    });

    const { outcome } = await sendJson({ id: 1, method: "test_echo" });

    expect(outcome).toBe("refused");
  });

  it("rejects if it fails", async () => {
    const { sendJson, hooks, called, logs } = setUp();
    hooks.authorize.facade("guard").tap(() => {
      throw new Error("broken");
    });

    const { json } = await sendJson({ id: 1, method: "test_echo" });

    expect(json).toMatchObject({ error: INTERNAL_ERROR });
    expect(called).toEqual([]);
    expect(logs.entries).toMatchObject([{ fields: { error: { plugin: "guard" } } }]);
  });

  it("is not called for an unknown method", async () => {
    const { sendJson, hooks } = setUp();
    hooks.authorize.facade("guard").tap(() => RpcError.unauthorized());

    const { json } = await sendJson({ id: 1, method: "test_unknown" });

    expect(json).toMatchObject({ error: { code: -32601 } });
  });

  it("is called before parameters are decoded, which happens on reading them", async () => {
    const { sendJson, hooks } = setUp({ address: taking({ to: t.address }) });
    const seen: unknown[] = [];
    let reads = false;
    hooks.authorize.facade("guard").tap((event) => {
      if (reads) seen.push(event.params);
      return undefined;
    });
    hooks.authorize.facade("other").tap(() => RpcError.unauthorized());
    const request = { id: 1, method: "test_address", params: ["0xz"] };

    const unread = await sendJson(request);
    reads = true;
    const read = await sendJson(request);

    expect(unread.json).toMatchObject({ error: { code: -40100 } });
    expect(read.json).toMatchObject({ error: { code: -32602 } });
  });
});

describe("rpc.called", () => {
  it("reports every response: the method, the listener, the time and the error", async () => {
    const { sendJson, hooks, client } = setUp();
    const seen: unknown[] = [];
    hooks.called.facade("meter").tap((event) => void seen.push(event));

    await sendJson([
      { id: 1, method: "test_echo" },
      { id: 2, method: "test_unknown" },
    ]);

    const { endpoint } = client;
    const seconds = expect.any(Number);
    expect(seen).toEqual([
      { method: "test_echo", client, endpoint, seconds, error: undefined },
      { method: "test_unknown", client, endpoint, seconds, error: RpcError.methodNotFound() },
    ]);
  });

  it.each([
    ["synchronous", () => {}],
    ["asynchronous", () => new Promise<void>((resolve) => setImmediate(resolve))],
  ])("gets the time of each member of a batch, %s", async (_, end) => {
    const slow = method({
      summary: "Takes a while.",
      result: t.json,
      handle() {
        const until = performance.now() + 8;
        while (performance.now() < until);
        return end();
      },
    });
    const { send, hooks } = setUp({ slow });
    const seconds: number[] = [];
    hooks.called.facade("metrics").tap((event) => {
      seconds.push(event.seconds);
    });

    await send(
      '[{"id":1,"method":"test_slow"},{"id":2,"method":"test_echo"},{"id":3,"method":"test_slow"}]',
    );

    const [first = 0, second = 1, third = 0] = seconds;
    expect(seconds).toHaveLength(3);
    expect([first, third].every((each) => each >= 0.008)).toBe(true);
    expect(second).toBeLessThan(0.008);
  });

  it.each([
    ["that it rejects with", async () => Promise.reject(RpcError.unauthorized()), -40100],
    ["of a result without JSON", async () => 5n, -32603],
  ])("reports the error of an asynchronous handler %s, once", async (_, handle, code) => {
    const later = method({ summary: "Fails later.", result: t.json, handle });
    const { sendJson, hooks } = setUp({ later });
    const seen: unknown[] = [];
    hooks.called.facade("meter").tap(({ method: name, error }) => {
      seen.push([name, error?.rpcCode]);
    });

    await sendJson({ id: 1, method: "test_later" });

    expect(seen).toEqual([["test_later", code]]);
  });

  it("does not report notifications and invalid requests", async () => {
    const { sendJson, hooks } = setUp();
    const seen: unknown[] = [];
    hooks.called.facade("meter").tap((event) => void seen.push(event));

    await sendJson([{ method: "test_echo" }, { id: 1 }, 5]);

    expect(seen).toEqual([]);
  });

  it("cannot affect a response", async () => {
    const { sendJson, hooks } = setUp();
    hooks.called.facade("meter").tap(() => {
      throw new Error("broken");
    });

    const { json } = await sendJson({ id: 1, method: "test_echo" });

    expect(json).toMatchObject({ result: null });
  });
});

describe("a claimed call", () => {
  it.each([
    ["returns", () => "done"],
    ["throws", () => throwNow()],
    ["resolves", async () => "done"],
    ["rejects", async () => throwNow()],
    ["resolves to what is not JSON", async () => 5n],
  ])("ends when its handler %s", async (_, handle) => {
    const claimed = method({ summary: "Is claimed.", result: t.json, handle });
    const ended: number[] = [];
    let claims = 0;
    const claim = () => {
      claims += 1;
      const number = claims;
      return () => void ended.push(number);
    };
    const { sendJson } = setUp({ claimed }, { calls: { claim } });
    const call = { id: 1, method: "test_claimed" };

    await sendJson([call, call]);

    expect(ended).toEqual([1, 2]);
  });
});

describe("rpc.failed", () => {
  it("lets a plugin add details to an error of a handler", async () => {
    const { sendJson, hooks } = setUp({ fail: throwing(new RpcError(3, "reverted", "0x01")) });
    hooks.failed.facade("names").tap((error, { method, params }) => {
      return new RpcError(error.rpcCode, `${method}${JSON.stringify(params)}`, error.data);
    });

    const { json } = await sendJson({ id: 1, method: "test_fail" });

    expect(json).toMatchObject({ error: { code: 3, message: "test_fail{}", data: "0x01" } });
  });

  it("is not called for an error whose details the caller must not see", async () => {
    const { sendJson, hooks } = setUp({ fail: throwing(new Error("boom")) });
    const seen: unknown[] = [];
    hooks.failed.facade("names").tap((error) => void seen.push(error));

    const { json } = await sendJson({ id: 1, method: "test_fail" });

    expect(json).toMatchObject({ error: { code: -32603 } });
    expect(seen).toEqual([]);
  });
});

function throwNow(): never {
  throw new Error("broken");
}

describe("the dispatcher", () => {
  it("responds to any input with JSON or with nothing, and never fails", async () => {
    const { send } = setUp();
    const member = fc.oneof(fc.json(), fc.constantFrom('"test_echo"', '"test_fail"', "[]", "1"));
    const key = fc.constantFrom("id", "method", "params", "jsonrpc", "__proto__", "constructor");
    const request = fc
      .array(fc.tuple(key, member))
      .map((members) => `{${members.map(([name, text]) => `"${name}":${text}`).join(",")}}`);
    const batch = fc.array(fc.oneof(request, fc.json())).map((all) => `[${all.join(",")}]`);

    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json(), request, batch), async (body) => {
        const { outcome, text } = await send(body);

        if (outcome === "silent") expect(text).toBe("");
        else expect(() => JSON.parse(text)).not.toThrow();
      }),
    );
  });
});

/** A method that returns anything, whether or not its codec supports it. */
function answering(result: Codec<unknown>, answer: unknown): Method<unknown> {
  return { ...taking({}), result: result as Codec<unknown>, handle: () => answer };
}

function taking(
  params: Method<unknown>["params"],
  settings: { exactParams?: boolean; permission?: string } = {},
): Method<unknown> {
  return method({
    summary: "Takes parameters.",
    params,
    result: t.text,
    handle: () => "done",
    ...settings,
  });
}

function throwing(error: unknown): Method<unknown> {
  return method({
    summary: "Fails.",
    result: t.text,
    handle() {
      throw error;
    },
  });
}

function requests(count: number) {
  return Array.from({ length: count }, (_, id) => ({ id, method: "test_echo" }));
}

describe("a result, while results are verified", () => {
  const answering = (result: Codec<never>, value: unknown) => ({
    wrong: method({ summary: "Answers.", result, handle: () => value as never }),
  });
  const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

  it.each<[string, Codec<never>, unknown, string]>([
    ["of another kind", t.text as Codec<never>, 5, "expected text"],
    ["that is missing", t.text as Codec<never>, undefined, "expected text"],
    [
      "that cannot be encoded",
      t.quantity as Codec<never>,
      null,
      "Cannot read properties of null (reading 'toString')",
    ],
    [
      "with a wrong member",
      t.object({ hash: t.hash }) as Codec<never>,
      { hash: "0x1" },
      "hash: expected a hash (32 bytes of hex)",
    ],
    [
      "that is already encoded",
      t.array(t.text) as Codec<never>,
      raw(text([1])),
      "[0]: expected text",
    ],
  ])("%s is an error that names plugin and method", async (_, codec, value, problem) => {
    const { sendJson, logs } = setUp(answering(codec, value), { verifiesResults: true });

    const { json } = await sendJson({ id: 1, method: "test_wrong" });

    const message = `rpc-test returned a result of test_wrong that does not match its codec: ${problem}`;
    expect(json.error).toEqual({ code: -32603, message });
    expect(logs.entries).toMatchObject([{ level: "error", message }]);
  });

  it.each([
    ["a value", { verifiesResults: true }, "right", "right"],
    ["bytes", { verifiesResults: true }, raw(text("right")), "right"],
    ["anything when they are not verified", {}, 5, 5],
  ])("%s is returned unchanged", async (_, settings, value, result) => {
    const { sendJson } = setUp(answering(t.text as Codec<never>, value), settings);

    const { json } = await sendJson({ id: 1, method: "test_wrong" });

    expect(json.result).toBe(result);
  });
});

function setUp(
  methods: Methods<unknown> = {},
  settings: {
    namespaces?: readonly string[];
    maxBatchSize?: number;
    duplex?: boolean;
    closed?: AbortSignal;
    calls?: CallBudget;
    idle?: string;
    verifiesResults?: boolean;
    compatibility?: Compatibility;
  } = {},
) {
  const called: unknown[] = [];
  const disabled = new Set<string>();
  const isEnabled = (plugin: string) => !disabled.has(plugin);
  const ownerOf = (plugin: string) => ({
    get active() {
      return isEnabled(plugin);
    },
  });
  const hooks = createRpcHooks(new HookFactory({ ownerOf, failed: () => {} }));
  const namespaces = new Namespaces(isEnabled);
  const standard: Methods<unknown> = {
    echo: method({
      summary: "Echoes its parameter.",
      params: { value: t.json },
      result: t.json,
      handle(params) {
        called.push(["echo", params]);
        return params.value;
      },
    }),
    ignore: method({
      summary: "Ignores its parameter.",
      params: { value: t.json },
      result: t.text,
      handle(params) {
        called.push(["ignore", params]);
        return "done";
      },
    }),
    fail: throwing(new Error("broken")),
  };
  namespaces.register({
    plugin: "rpc-test",
    namespace: "test",
    methods: { ...standard, ...methods },
    exposure: "listed",
  });
  const logs = recordLogs();
  const { idle, calls, closed = new AbortController().signal, ...others } = settings;
  const { verifiesResults = false, compatibility = COMPATIBILITIES.plinth, ...rest } = others;
  const endpoint = new Endpoint({
    name: "test",
    transport: "test",
    namespaces: ["test"],
    duplex: false,
    maxBatchSize: 1_000,
    ...rest,
  });
  const client = { endpoint, closed, calls };
  const call = { client };
  const dispatcher = new Dispatcher({
    namespaces,
    hooks,
    callFor: () => (idle === undefined ? { call } : { idle }),
    log: logs.for("rpc"),
    compatibility,
    verifiesResults,
  });
  const send = async (body: string) => {
    const { outcome, parts } = await dispatcher.answer(body, client);
    return { outcome, text: await join(parts) };
  };
  const sendJson = async (body: unknown) => {
    const { outcome, text } = await send(JSON.stringify(body));
    return { outcome, text, json: text === "" ? undefined : JSON.parse(text) };
  };
  return { dispatcher, send, sendJson, hooks, logs, client, call, called, disabled };
}

async function join(parts: readonly Part[]): Promise<string> {
  const pieces: Buffer[] = [];
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Uint8Array) pieces.push(Buffer.from(part));
    else for await (const piece of part) pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces).toString("utf8");
}
