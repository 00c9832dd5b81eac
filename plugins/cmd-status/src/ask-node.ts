import { type Codec, DecodeError, messageOf, t } from "@plinth/core";
import { askSocket } from "./ask-socket.js";
import { socketOf } from "./find-url.js";
import type { NodeStatus } from "./node-status.js";
import { Silence } from "./silence.js";

const TIMEOUT_MS = 5000;
/** What a node says of a method that it does not know, or does not offer. */
const NOT_OFFERED: readonly unknown[] = [-32601, -32604];

const header = t.object({ number: t.quantity, hash: t.hash, timestamp: t.quantity });

const full = t.object({
  clientVersion: t.text,
  chainId: t.optional(t.quantity),
  networkId: t.quantity,
  genesisHash: t.hash,
  head: header,
  headAge: t.integer(),
  pending: t.integer(),
  setAside: t.array(t.object({ hash: t.hash, message: t.text })),
  peers: t.optional(t.integer()),
  sync: t.optional(t.object({ syncing: t.boolean, highest: t.quantity })),
  plugins: t.array(t.text),
  health: t.object({
    status: t.text,
    checks: t.array(
      t.object({ plugin: t.text, name: t.text, status: t.text, detail: t.optional(t.text) }),
    ),
  }),
});

/** A node that is asked, until the operator has enough of it. */
export interface Asked {
  readonly url: string;
  readonly signal: AbortSignal;
}

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

/** Requests the status of a node; rejects with `Silence` when it does not answer. */
export async function askNode(url: string, signal: AbortSignal): Promise<NodeStatus> {
  const asked = { url, signal };
  const answer = await call(asked, "plinth_status", []);
  if (answer.error === undefined) {
    const { clientVersion, chainId, head, headAge, health, ...inside } = read(full, answer);
    return { clientVersion, chainId, head, headAge, health, inside };
  }
  if (!NOT_OFFERED.includes(answer.error.code)) throw refused("plinth_status", answer);
  return askAnyNode(asked);
}

/** The status of any node, from methods that are served by default. */
async function askAnyNode(asked: Asked): Promise<NodeStatus> {
  const head = await ask(asked, "eth_getBlockByNumber", header, ["latest", false]);
  const isReady = await askReadiness(asked);
  const age = Math.floor(Date.now() / 1000) - Number(head.timestamp);
  return {
    clientVersion: await ask(asked, "web3_clientVersion", t.text),
    chainId: await ask(asked, "eth_chainId", t.quantity),
    head,
    headAge: Math.max(0, age),
    health: { status: isReady ? "ready" : "not ready", checks: [] },
    inside: undefined,
  };
}

async function askReadiness(asked: Asked): Promise<boolean> {
  if (socketOf(asked.url) === undefined) {
    return (await send(asked, "/readiness", { method: "GET" })).ok;
  }
  return (await ask(asked, "eth_syncing", t.json)) === false;
}

/** Asks a node one thing; rejects with `Silence` when it does not answer, or refuses. */
export async function ask<T>(
  asked: Asked,
  method: string,
  codec: Codec<T>,
  params: readonly unknown[] = [],
): Promise<T> {
  const answer = await call(asked, method, params);
  if (answer.error !== undefined) throw refused(method, answer);
  return read(codec, answer);
}

async function call(asked: Asked, method: string, params: readonly unknown[]): Promise<RpcAnswer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const socket = socketOf(asked.url);
  if (socket !== undefined) return Object(await askSocket(socket, body, limitOf(asked)));
  const headers = { "content-type": "application/json" };
  const response = await send(asked, "", { method: "POST", headers, body });
  const text = await response.text();
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new Silence(`what answers there is no node: HTTP ${response.status}`);
  }
}

function limitOf({ signal }: Asked): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
}

async function send(asked: Asked, path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(new URL(path, asked.url), { ...request, signal: limitOf(asked) });
  } catch (error) {
    throw new Silence(reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") {
    return `no answer within ${TIMEOUT_MS / 1000} s`;
  }
  // The message of `fetch` is only "fetch failed"; the cause has the reason.
  return messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
}

function read<T>(codec: Codec<T>, { result }: RpcAnswer): T {
  try {
    return codec.decode(result, "result");
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new Silence(`what answers there is no such node: ${error.message}`);
  }
}

function refused(method: string, { error }: RpcAnswer): Silence {
  return new Silence(
    `it refuses ${method}: ${error?.message} (${error?.code}); its --rpc-http-api should have PLINTH`,
  );
}
