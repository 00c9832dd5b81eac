import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { hashPassword } from "@plinth/core/primitives";
import { FakeClock, recordLogs } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSocket, post, startGuardedNode } from "../support/guarded-node.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { createKeys, createToken } from "../support/tokens.js";

/**
 * `npm run long -- attacks` is for a quiet machine and enforces the limit; here other tests run as
 * well.
 */
const MAX_WAIT_MS = process.env.PLINTH_STRICT === undefined ? 1000 : 100;
const UNAUTHORIZED = { code: -40100, message: "Unauthorized" };
const PASSWORD = "correct horse";
const HASH = await hashPassword(PASSWORD, 4);
const USERS = `
[Users.reader]
password = "${HASH}"
permissions = ["eth:blockNumber", "net:*", "eth:subscribe", "graphql:query"]
[Users.admin]
password = "${HASH}"
permissions = ["*:*"]
privacyPublicKey = "A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo="
[Users.idle]
password = "${HASH}"
`;
const call = (method: string, id = 1) => ({ jsonrpc: "2.0", id, method, params: [] });
const failed = (id: number | null) => ({ jsonrpc: "2.0", id, error: UNAUTHORIZED });

/** A node whose listeners all have the users of a file. */
async function startWithUsers(options: Readonly<Record<string, unknown>> = {}, clock?: FakeClock) {
  const folder = temporaryFolder();
  const file = folder.file("users.toml");
  writeFileSync(file, USERS, { mode: 0o600 });
  const logs = recordLogs();
  const node = await startGuardedNode(
    {
      ...withUsers("rpcHttp", file),
      ...withUsers("rpcWs", file),
      ...withUsers("graphql", file),
      rpcCompatibility: "besu",
      ...options,
    },
    { logs, ...(clock && { clock }) },
  );
  return {
    ...node,
    file,
    logs,
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

function withUsers(prefix: string, file: string) {
  return {
    [`${prefix}AuthenticationEnabled`]: true,
    [`${prefix}AuthenticationCredentialsFile`]: file,
  };
}

async function logIn(port: number, username: string): Promise<string> {
  const { json } = await post(port, { username, password: PASSWORD }, { path: "/login" });
  return (json as { token: string }).token;
}

/** For tests that do not change it. */
let shared: Awaited<ReturnType<typeof startWithUsers>>;
beforeAll(async () => {
  shared = await startWithUsers();
});
afterAll(() => shared[Symbol.asyncDispose]());

describe("a login", () => {
  it("returns a token with the claims of the user, for five minutes", async () => {
    const node = shared;

    const { status, headers, json } = await post(
      node.http,
      { username: "admin", password: PASSWORD },
      { path: "/login" },
    );

    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    const [head, claims] = String((json as { token: string }).token)
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
    expect(head).toMatchObject({ alg: "RS256" });
    expect(claims).toEqual({
      permissions: ["*:*"],
      username: "admin",
      privacyPublicKey: "A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo=",
      iat: expect.any(Number),
      exp: claims.iat + 300,
    });
  });

  const REQUIRED = "Authentication failed: username and password are required.";
  const WRONG = "Authentication failed: the username or password is incorrect.";
  it.each([
    ["no password", { username: "admin" }, 400, REQUIRED],
    ["no name", { password: PASSWORD }, 400, REQUIRED],
    ["nothing", "", 400, REQUIRED],
    ["no JSON", "admin", 400, REQUIRED],
    ["a number", { username: "admin", password: 7 }, 400, REQUIRED],
    ["a wrong password", { username: "admin", password: "other" }, 401, WRONG],
    ["an unknown user", { username: "stranger", password: PASSWORD }, 401, WRONG],
    ["the name of something else", { username: "__proto__", password: PASSWORD }, 401, WRONG],
    ["an empty password", { username: "admin", password: "" }, 401, WRONG],
    ["a password that is too long", { username: "admin", password: "x".repeat(100) }, 401, WRONG],
  ])("with %s is rejected", async (_, body, status, text) => {
    const node = shared;

    const answer = await post(node.http, body, { path: "/login" });

    expect([answer.status, answer.text]).toEqual([status, text]);
  });

  it("is served on each listener, and its token on that listener only", async () => {
    const node = shared;
    const tokens = await Promise.all(
      [node.http, node.ws, node.graphql].map((port) => logIn(port, "admin")),
    );

    const statuses = await Promise.all(
      tokens.map(
        async (token) => (await post(node.http, call("eth_blockNumber"), { token })).status,
      ),
    );

    expect(statuses).toEqual([200, 401, 401]);
  });

  it("is not enabled if nothing is protected, or tokens come from elsewhere", async () => {
    await using node = await startGuardedNode();

    const answers = await Promise.all(
      [node.http, node.ws, node.graphql].map((port) => post(port, {}, { path: "/login" })),
    );

    expect(answers.map(({ status, reason, text }) => [status, reason, text])).toEqual(
      Array(3).fill([400, "Authentication not enabled", ""]),
    );
  });

  it("reads the file each time, and admits no one by a damaged one", async () => {
    await using node = await startWithUsers();
    const attempt = async () =>
      (await post(node.http, { username: "admin", password: PASSWORD }, { path: "/login" })).status;
    const before = await attempt();

    writeFileSync(node.file, USERS.replaceAll("[Users.admin]", "{Users.admin}"));
    const damaged = await attempt();
    writeFileSync(node.file, USERS.replace("Users.admin", "Users.other"));
    const gone = await attempt();
    writeFileSync(node.file, USERS);

    expect([before, damaged, gone, await attempt()]).toEqual([200, 401, 401, 200]);
    const lines = node.logs.entries.filter(({ level }) => level === "error");
    expect(lines.map(({ message }) => message)).toEqual([
      expect.stringContaining(`users cannot log in: ${node.file}: Invalid TOML document`),
    ]);
    expect(JSON.stringify(node.logs.entries)).not.toContain(HASH);
  });

  it("is throttled after ten failures of one address, and then allowed again", async () => {
    const clock = new FakeClock(Date.now());
    await using node = await startWithUsers({}, clock);
    const attempt = (password: string) =>
      post(node.http, { username: "admin", password }, { path: "/login" });

    const failures = await Promise.all(Array.from({ length: 10 }, () => attempt("wrong")));
    const refused = await attempt(PASSWORD);
    await clock.advance(6000);
    const allowed = await attempt(PASSWORD);

    expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([401]));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "6"]);
    expect(allowed.status).toBe(200);
  });

  it("that fails is logged on a countable line, without the password", async () => {
    await using node = await startWithUsers();

    await post(
      node.http,
      { username: "eve\n2026-01-01 | main | INFO", password: "secret" },
      { path: "/login" },
    );

    const lines = node.logs.entries.filter(({ message }) => message === "denied");
    expect(lines.map(({ fields }) => fields)).toEqual([
      {
        client: "127.0.0.1",
        listener: "json-rpc",
        reason: "login",
        user: "eve_2026-01-01___main___INFO",
      },
    ]);
    expect(JSON.stringify(node.logs.entries)).not.toContain("secret");
  });
});

describe("a call over HTTP", () => {
  it.each([
    ["that is permitted by its name", "reader", "eth_blockNumber", 200],
    ["that is permitted with its namespace", "reader", "net_version", 200],
    ["of another method", "reader", "eth_chainId", 401],
    ["of another namespace", "reader", "web3_clientVersion", 401],
    ["of anything, when everything is permitted", "admin", "rpc_modules", 200],
    ["of a user without permissions", "idle", "eth_blockNumber", 401],
    ["of an unknown method", "idle", "eth_unknown", 200],
  ])("%s: %s, %s", async (_, user, method, status) => {
    const node = shared;
    const token = await logIn(node.http, user);

    const answer = await post(node.http, call(method, 7), { token });

    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.json).toEqual(failed(7));
  });

  it("with invalid parameters is rejected first", async () => {
    const node = shared;
    const token = await logIn(node.http, "idle");

    const { json } = await post(node.http, { ...call("eth_getBalance"), params: [1] }, { token });

    expect(json).toEqual(failed(1));
  });

  it.each([
    ["a call", call("eth_blockNumber", 7)],
    ["a batch", [call("eth_blockNumber", 7)]],
    ["something that is not JSON", "{"],
  ])("without a token is rejected before it is read: %s", async (_, body) => {
    const node = shared;

    const { status, json } = await post(node.http, body);

    expect([status, json]).toEqual([401, failed(null)]);
  });

  it.each([
    ["without a token", undefined, "/"],
    ["with a wrong token", "wrong", "/"],
    ["without a token, over GraphQL", undefined, "/graphql"],
    ["with a wrong token, over GraphQL", "wrong", "/graphql"],
  ])("is rejected before its body is sent: %s", async (_, token, path) => {
    const node = shared;
    const port = path === "/" ? node.http : node.graphql;
    const headers = {
      "content-length": 5_000_000,
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const sending = request({ host: "127.0.0.1", port, path, method: "POST", headers });
    sending.on("error", () => {});
    sending.write("[".repeat(100_000));

    const [response] = await once(sending, "response");

    expect(response.statusCode).toBe(401);
    sending.destroy();
  });

  it("with an invalid token keeps its id if its body is small", async () => {
    const node = shared;

    const small = await post(node.http, call("eth_blockNumber", 7), { token: "wrong" });
    const large = await post(node.http, [call("x".repeat(100_000), 7)], { token: "wrong" });

    expect([small.status, small.json]).toEqual([401, failed(7)]);
    expect([large.status, large.json]).toEqual([401, failed(null)]);
  });

  it("in a batch is rejected in its place", async () => {
    const node = shared;
    const token = await logIn(node.http, "reader");
    const batch = [call("eth_blockNumber", 1), call("eth_chainId", 2), call("net_version", 3)];

    const { status, json } = await post(node.http, batch, { token });

    expect(status).toBe(200);
    expect(json).toEqual([
      { jsonrpc: "2.0", id: 1, result: "0x0" },
      failed(2),
      { jsonrpc: "2.0", id: 3, result: expect.any(String) },
    ]);
  });

  it("needs no token for open methods, and keeps its id if it does", async () => {
    await using node = await startWithUsers({ rpcHttpApiMethodsNoAuth: ["net_version"] });

    const open = await post(node.http, call("net_version"));
    const closed = await post(node.http, call("eth_chainId", 9));
    const batch = await post(node.http, [call("net_version", 1), call("eth_chainId", 2)]);

    expect(open.status).toBe(200);
    expect([closed.status, closed.json]).toEqual([401, failed(9)]);
    expect(batch.json).toMatchObject([{ id: 1, result: expect.any(String) }, failed(2)]);
  });

  it("ends with its token", async () => {
    const clock = new FakeClock(Date.now());
    await using node = await startWithUsers({}, clock);
    const token = await logIn(node.http, "reader");
    const status = async () => (await post(node.http, call("eth_blockNumber"), { token })).status;

    const before = await status();
    await clock.advance(301_000);

    expect([before, await status()]).toEqual([200, 401]);
  });

  it("has the permissions of its own token, not of the previous call on the same connection", async () => {
    const [reader, admin] = [await logIn(shared.http, "reader"), await logIn(shared.http, "admin")];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const statusOf = async (token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const sent = request({ port: shared.http, method: "POST", agent, headers });
      sent.end(JSON.stringify(call("eth_chainId")));
      const [response] = await once(sent, "response");
      ports.add(sent.socket?.localPort);
      await once(response.resume(), "end");
      return response.statusCode;
    };

    const callers = [admin, admin, reader, admin, undefined, undefined, `${admin}x`, admin];
    const statuses = [];
    for (const token of callers) statuses.push(await statusOf(token));
    agent.destroy();

    expect(statuses).toEqual([200, 200, 401, 200, 401, 401, 401, 200]);
    expect(ports.size).toBe(1);
  });

  it("stays protected: the plugin cannot be removed from a running node", async () => {
    const node = shared;

    await expect(node.disable("authentication")).rejects.toThrow("authentication is essential");
    expect((await post(node.http, call("eth_blockNumber"))).status).toBe(401);
  });

  it("leaves probes open", async () => {
    const node = shared;

    const { status } = await fetch(`http://127.0.0.1:${node.http}/liveness`);

    expect(status).toBe(200);
  });
});

describe("a WebSocket", () => {
  it("is opened without a token, and rejects each call with its id", async () => {
    const node = shared;
    using socket = await openSocket(node.ws);

    expect(await socket.ask(call("eth_blockNumber", 3))).toEqual(failed(3));
    expect(await socket.ask([call("eth_blockNumber", 4), call("net_version", 5)])).toEqual([
      failed(4),
      failed(5),
    ]);
  });

  it("has the permissions of the token of its handshake, in batches too", async () => {
    const node = shared;
    using socket = await openSocket(node.ws, await logIn(node.ws, "reader"));

    const batch = await socket.ask([call("eth_blockNumber", 1), call("eth_chainId", 2)]);

    expect(batch).toEqual([{ jsonrpc: "2.0", id: 1, result: "0x0" }, failed(2)]);
  });

  it.each([
    ["reader", { id: 1, result: expect.stringMatching(/^0x/) }],
    ["idle", failed(1)],
  ])("may subscribe if it is permitted: %s", async (user, expected) => {
    const node = shared;
    using socket = await openSocket(node.ws, await logIn(node.ws, user));

    const answer = await socket.ask({ ...call("eth_subscribe"), params: ["newHeads"] });

    expect(answer).toMatchObject(expected);
  });

  it("ends with its token, and with it its subscriptions", async () => {
    const clock = new FakeClock(Date.now());
    await using node = await startWithUsers({}, clock);
    using socket = await openSocket(node.ws, await logIn(node.ws, "reader"));
    await socket.ask({ ...call("eth_subscribe"), params: ["newHeads"] });
    const messages: string[] = [];
    socket.socket.on("message", (message) => messages.push(String(message)));
    const closed = once(socket.socket, "close");

    await clock.advance(301_000);
    await node.mine([]);

    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1008, "the token has expired"]);
    expect(messages).toEqual([]);
  });

  it("is not ended by the token of another", async () => {
    const clock = new FakeClock(Date.now());
    await using node = await startWithUsers({}, clock);
    using early = await openSocket(node.ws, await logIn(node.ws, "reader"));
    await early.ask(call("eth_blockNumber"));
    await clock.advance(200_000);
    using late = await openSocket(node.ws, await logIn(node.ws, "reader"));
    await late.ask(call("eth_blockNumber"));
    const closed = once(early.socket, "close");

    await clock.advance(101_000);

    await closed;
    expect(await late.ask(call("eth_blockNumber", 2))).toMatchObject({ result: "0x0" });
  });

  it("has its own open methods", async () => {
    await using node = await startWithUsers({ rpcWsApiMethodsNoAuth: ["net_version"] });
    using socket = await openSocket(node.ws);

    expect(await socket.ask(call("net_version"))).toMatchObject({ result: expect.any(String) });
    expect(await socket.ask(call("eth_chainId", 2))).toEqual(failed(2));
  });
});

describe("GraphQL", () => {
  const QUERY = { query: "{ block { number } }" };
  const MUTATION = { query: 'mutation { sendRawTransaction(data: "0x00") }' };

  it.each([
    ["a query without a token", undefined, QUERY, 401],
    ["a query of a user who may ask", "reader", QUERY, 200],
    ["a mutation of a user who may only ask", "reader", MUTATION, 401],
    ["a mutation of a user who may do everything", "admin", MUTATION, 400],
    ["a query of a user without permissions", "idle", QUERY, 401],
    ["something that is not a query, without a token", undefined, { query: "{" }, 401],
  ])("answers %s", async (_, user, body, status) => {
    const node = shared;
    const token = user === undefined ? undefined : await logIn(node.graphql, user);

    const answer = await post(node.graphql, body, { path: "/graphql", ...(token && { token }) });

    expect(answer.status).toBe(status);
    const unauthorized = { message: "Unauthorized", extensions: { errorCode: -40100 } };
    if (status === 401) expect(answer.json).toMatchObject({ errors: [unauthorized] });
    if (status === 400) expect(answer.text).not.toContain("Unauthorized");
  });

  it("is open by default", async () => {
    await using node = await startGuardedNode();

    expect((await post(node.graphql, QUERY, { path: "/graphql" })).status).toBe(200);
  });
});

describe("tokens of an issuer", () => {
  const now = () => Math.floor(Date.now() / 1000);
  const claims = (more: object = {}) => ({ permissions: ["eth:*"], exp: now() + 60, ...more });

  /** One of the trusted issuer, and one of another. */
  const [ISSUER, OTHER] = [createKeys("RS256"), createKeys("RS256")];
  let issued: Awaited<ReturnType<typeof startWithKey>>;
  beforeAll(async () => {
    issued = await startWithKey(ISSUER.pem, "RS256");
  });
  afterAll(() => issued[Symbol.asyncDispose]());

  async function startWithKey(pem: string, alg: string) {
    const folder = temporaryFolder();
    const file = folder.file("key.pem");
    writeFileSync(file, pem);
    const node = await startGuardedNode({
      rpcHttpAuthenticationEnabled: true,
      rpcHttpAuthenticationJwtPublicKeyFile: file,
      rpcHttpAuthenticationJwtAlgorithm: alg,
    });
    const send = async (token: string) => {
      const { status, json } = await post(node.http, call("eth_blockNumber", 5), { token });
      return { status, json };
    };
    return {
      ...node,
      send,
      async [Symbol.asyncDispose]() {
        await node[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  }

  it.each(["RS256", "RS384", "RS512", "ES256", "ES384", "ES512"])(
    "are accepted with %s, and with no other algorithm of the same key",
    async (alg) => {
      const isRsa = alg.startsWith("RS");
      const { privateKey: key, pem } = isRsa ? ISSUER : createKeys(alg);
      await using node = await startWithKey(pem, alg);
      const other = alg === "RS256" ? "RS512" : "RS256";

      const right = await node.send(createToken({ alg, key, claims: claims() }));
      const wrong = isRsa
        ? await node.send(createToken({ alg: other, key, claims: claims() }))
        : undefined;

      expect(right.status).toBe(200);
      if (wrong !== undefined) expect(wrong.status).toBe(401);
      expect((await post(node.http, {}, { path: "/login" })).reason).toBe(
        "Authentication not enabled",
      );
    },
  );

  it.each<[string, (keys: ReturnType<typeof createKeys>) => string]>([
    ["is expired", ({ privateKey: key }) => rs(key, claims({ exp: now() - 1 }))],
    ["does not expire", ({ privateKey: key }) => rs(key, { permissions: ["*:*"] })],
    ["expires at no number", ({ privateKey: key }) => rs(key, claims({ exp: "soon" }))],
    ["is not valid yet", ({ privateKey: key }) => rs(key, claims({ nbf: now() + 30 }))],
    ["is not signed", () => createToken({ alg: "none", claims: claims() })],
    ["is signed by another key", () => rs(OTHER.privateKey, claims())],
    [
      "is signed by a key of another kind",
      () => createToken({ alg: "ES256", key: createKeys("ES256").privateKey, claims: claims() }),
    ],
    [
      "is signed with the public key as a secret",
      ({ pem }) => createToken({ alg: "HS256", key: pem, claims: claims() }),
    ],
    [
      "names another key of another issuer",
      () => {
        const { privateKey: key } = OTHER;
        return createToken({ alg: "RS256", key, claims: claims(), header: { kid: "unknown" } });
      },
    ],
    [
      "brings its own key",
      () => {
        const { privateKey: key, publicKey } = OTHER;
        const jwk = publicKey.export({ format: "jwk" });
        return createToken({ alg: "RS256", key, claims: claims(), header: { jwk } });
      },
    ],
    [
      "asks for an extension that is unknown",
      ({ privateKey: key }) =>
        createToken({ alg: "RS256", key, claims: claims(), header: { crit: ["x"], x: 1 } }),
    ],
    [
      "is larger than 8 KiB",
      ({ privateKey: key }) => rs(key, claims({ padding: "x".repeat(9000) })),
    ],
    [
      "has permissions that are no list",
      ({ privateKey: key }) => rs(key, claims({ permissions: "*:*" })),
    ],
    [
      "has other permissions",
      ({ privateKey: key }) => rs(key, claims({ permissions: ["ETH:*", "eth:block*", "*"] })),
    ],
    ["is no token", () => "abc"],
    ["has parts that are no JSON", () => "a.b.c"],
  ])("are rejected if one %s", async (_, make) => {
    const good = rs(ISSUER.privateKey, claims());

    const bad = await issued.send(make(ISSUER));
    const begun = performance.now();
    const other = await issued.send(good);

    expect(bad).toEqual({ status: 401, json: failed(5) });
    expect(other.status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(MAX_WAIT_MS);
  });

  it("are rejected by the server itself if the head of a request is too large", async () => {
    const large = await issued.send("x".repeat(20_000));

    expect(large.status).toBe(431);
    expect((await issued.send(rs(ISSUER.privateKey, claims()))).status).toBe(200);
  });

  it("may contain their key id, if it is that of the issuer", async () => {
    const { privateKey: key } = ISSUER;

    const token = createToken({ alg: "RS256", key, claims: claims(), header: { kid: "2026-1" } });

    expect((await issued.send(token)).status).toBe(200);
  });

  function rs(key: ReturnType<typeof createKeys>["privateKey"], parts: object): string {
    return createToken({ alg: "RS256", key, claims: { ...parts } });
  }
});

describe("a node does not start", () => {
  const WITH_USERS = { rpcHttpAuthenticationEnabled: true };

  async function startWith(options: Readonly<Record<string, unknown>>): Promise<string> {
    try {
      await using _ = await startGuardedNode(options);
      return "started";
    } catch (error) {
      return (error as Error).message;
    }
  }

  it.each([
    ["rpcHttp", "JSON-RPC HTTP"],
    ["rpcWs", "JSON-RPC WebSocket"],
    ["graphql", "GraphQL HTTP"],
  ])("without a source of tokens: %s", async (prefix, title) => {
    expect(await startWith({ [`${prefix}AuthenticationEnabled`]: true })).toContain(
      `Unable to authenticate ${title} endpoint without a supplied credentials file or authentication public key file`,
    );
  });

  it("with two sources of tokens", async () => {
    const options = {
      ...WITH_USERS,
      rpcHttpAuthenticationCredentialsFile: "a",
      rpcHttpAuthenticationJwtPublicKeyFile: "b",
    };

    expect(await startWith(options)).toContain("are mutually exclusive");
  });

  it("with WebSockets that need no token on a port that needs them", async () => {
    using folder = temporaryFolder();
    const file = folder.file("users.toml");
    writeFileSync(file, USERS, { mode: 0o600 });
    const options = { ...withUsers("rpcHttp", file), rpcWsOnHttpPort: true };

    expect(await startWith(options)).toContain("add --rpc-ws-authentication-enabled");
    expect(await startWith({ ...options, ...withUsers("rpcWs", file) })).toBe("started");
    expect(await startWith({ ...withUsers("rpcWs", file), rpcWsOnHttpPort: true })).toBe("started");
  });

  it("with an open method that no plugin has", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("users.toml"), USERS);
    const options = {
      ...WITH_USERS,
      rpcHttpAuthenticationCredentialsFile: folder.file("users.toml"),
      rpcHttpApiMethodsNoAuth: ["net_version", "eth_nothing"],
    };

    expect(await startWith(options)).toBe(
      "Invalid value for option '--rpc-http-api-methods-no-auth': options must be valid RPC methods, and [eth_nothing] are not",
    );
  });

  it.each<[string, string, () => string, string]>([
    ["no key", "RS256", () => "garbage", "expected a public key or a certificate in PEM"],
    ["a key of another kind", "RS256", () => createKeys("ES256").pem, "RS256 needs an RSA key"],
    [
      "a key on another curve",
      "ES384",
      () => createKeys("ES256").pem,
      "needs a key on the curve secp384r1, not ec prime256v1",
    ],
    [
      "a private key",
      "RS256",
      () => String(createKeys("RS256").privateKey.export({ type: "pkcs8", format: "pem" })),
      "it contains a private key",
    ],
  ])("with %s of an issuer", async (_, alg, make, text) => {
    using folder = temporaryFolder();
    const file = folder.file("key.pem");
    writeFileSync(file, make());
    const options = {
      ...WITH_USERS,
      rpcHttpAuthenticationJwtPublicKeyFile: file,
      rpcHttpAuthenticationJwtAlgorithm: alg,
    };

    const message = await startWith(options);

    expect(message).toContain(`${file}: `);
    expect(message).toContain(text);
  });
});

describe("a file of users", () => {
  it("that everyone can read gets a warning", async () => {
    using folder = temporaryFolder();
    const file = folder.file("users.toml");
    writeFileSync(file, USERS);
    chmodSync(file, 0o644);
    const logs = recordLogs();

    await using _ = await startGuardedNode(withUsers("rpcHttp", file), { logs });

    const warnings = logs.entries.filter(({ level }) => level === "warn");
    expect(warnings.map(({ message }) => message)).toEqual([
      `${file} is readable by every user of this machine; \`chmod 600\` restricts it`,
    ]);
  });
});
