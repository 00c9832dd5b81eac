import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { hashPassword } from "@plinth/core/primitives";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { MEASURABLE, measureMemory } from "../support/memory.js";
import { startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { createKeys, createToken } from "../support/tokens.js";

/** `npm run long -- soak-listeners` takes an hour. */
const SECONDS = Number(process.env.PLINTH_LISTENER_SECONDS ?? 3);
const MAX_GROWTH_BYTES = 10 * 1024 * 1024;
/** Documented errors that callers may get: unauthorized, and throttled. */
const REFUSALS = [-40100, -32005];
const STATUSES = [200, 401, 429];

const call = (method: string, params: readonly unknown[] = []) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params,
});

it(
  "of every kind does not make the node grow, and gets no error but documented rejections",
  async () => {
    using folder = temporaryFolder();
    const { privateKey: key, pem } = createKeys("ES256");
    writeFileSync(folder.file("key.pem"), pem);
    const hash = await hashPassword("secret", 8);
    const users = `[Users.a]\npassword = "${hash}"\npermissions = ["eth:*"]\n`;
    writeFileSync(folder.file("users.toml"), users, { mode: 0o600 });
    await using node = await startNode(
      [
        "--profile=dev",
        "--rpc-http-authentication-enabled",
        `--rpc-http-authentication-jwt-public-key-file=${folder.file("key.pem")}`,
        "--rpc-http-authentication-jwt-algorithm=ES256",
        "--rpc-ws-authentication-enabled",
        `--rpc-ws-authentication-credentials-file=${folder.file("users.toml")}`,
        "--graphql-http-enabled",
        "--rpc-client-rate-limit=20000",
        "--rpc-client-rate-burst=2000",
        "--rpc-trusted-proxies=127.0.0.1",
        "--rpc-http-max-active-connections=500",
      ],
      { folder: folder.path, environment: MEASURABLE },
    );
    const exp = Math.floor(Date.now() / 1000) + SECONDS + 600;
    const tokenOf = (permissions: readonly string[], n = 0) =>
      createToken({ alg: "ES256", key, claims: { permissions, exp, n } });
    const admin = tokenOf(["*:*"]);
    const reader = tokenOf(["eth:blockNumber"]);
    const faults: string[] = [];
    let requests = 0;

    const post = async (url: string, body: unknown, headers: Readonly<Record<string, string>>) => {
      const answer = await fetch(url, { method: "POST", body: JSON.stringify(body), headers });
      const text = await answer.text();
      requests += 1;
      if (!STATUSES.includes(answer.status)) faults.push(`${answer.status} ${text.slice(0, 200)}`);
      for (const [, code] of text.matchAll(/"(?:code|errorCode)":(-?\d+)/g)) {
        if (!REFUSALS.includes(Number(code))) faults.push(text.slice(0, 200));
      }
      return text;
    };
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const wsHttp = node.wsUrl.replace("ws:", "http:");
    const steps: readonly (() => Promise<unknown>)[] = [
      () => post(node.url, call("eth_blockNumber"), bearer(reader)),
      () => post(node.url, call("eth_chainId"), bearer(reader)),
      () => post(node.url, Array(20).fill(call("eth_gasPrice")), bearer(admin)),
      () => post(node.url, call("eth_call", [{ data: "0x5f5ff3" }, "latest"]), bearer(admin)),
      () => post(node.url, call("eth_blockNumber"), {}),
      () => post(node.url, call("eth_blockNumber"), bearer("no.token.atall")),
      // Each is verified once and then forgotten.
      () => post(node.url, call("eth_blockNumber"), bearer(tokenOf(["eth:*"], requests))),
      () =>
        post(node.url, call("eth_blockNumber"), {
          ...bearer(admin),
          "x-forwarded-for": `2001:db8:${(requests % 65_536).toString(16)}::1`,
        }),
      () =>
        post(
          node.graphqlUrl,
          { query: "{ block { number hash } }" },
          {
            "content-type": "application/json",
          },
        ),
      () => post(`${wsHttp}/login`, { username: "a", password: "wrong" }, {}),
      () => subscribe(node.wsUrl, wsHttp),
    ];
    const end = Date.now() + SECONDS * 1000;
    /** Every step at least ten times, and until the time is over. */
    const work = async (until: number) => {
      for (let turn = 0; turn < steps.length * 10 || Date.now() < until; turn++) {
        await steps[turn % steps.length]?.();
      }
    };
    const workers = async (until: number) => {
      // Few blocks: the chain caches the last of them.
      for (let block = 0; block < 10; block++)
        await post(node.url, call("evm_mine"), bearer(admin));
      await Promise.all(Array.from({ length: 6 }, () => work(until)));
    };

    await workers(Date.now() + (SECONDS * 1000) / 10);
    const { inUse: first } = await measureMemory(node);
    await workers(end);
    const { inUse: last } = await measureMemory(node);

    const growth = ((last - first) / 2 ** 20).toFixed(1);
    process.stderr.write(`${requests} requests in ${SECONDS} s; memory grew by ${growth} MiB\n`);
    expect([...new Set(faults)]).toEqual([]);
    expect(last - first).toBeLessThan(MAX_GROWTH_BYTES);
    expect(requests).toBeGreaterThan(SECONDS * 10);
  },
  (SECONDS + 300) * 1000,
);

/** Logs in if allowed, subscribes, calls and disconnects. */
async function subscribe(wsUrl: string, wsHttp: string): Promise<void> {
  const body = JSON.stringify({ username: "a", password: "secret" });
  const login = await fetch(`${wsHttp}/login`, { method: "POST", body });
  const text = await login.text();
  // Failed attempts of others use up the limit of the address.
  if (login.status === 429) return;
  const headers = { authorization: `Bearer ${JSON.parse(text).token}` };
  const socket = new WebSocket(wsUrl, { headers });
  await once(socket, "open");
  socket.send(JSON.stringify(call("eth_subscribe", ["newHeads"])));
  const [answer] = await once(socket, "message");
  expect(String(answer)).toContain('"result"');
  socket.terminate();
}
