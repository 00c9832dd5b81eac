import { type Codec, DecodeError, messageOf } from "@plinth/core";
import { askSocket } from "./ask-socket.js";
import { socketOf } from "./find-url.js";
import { parseAnswer } from "./parse-answer.js";
import { readLimited } from "./read-limited.js";
import { Refusal } from "./refusal.js";
import { Silence } from "./silence.js";

const TIMEOUT_MS = 5000;

/** A node that is asked, until the operator has enough of it. */
export interface Asked {
  readonly url: string;
  readonly signal: AbortSignal;
  /** How long the node may take; 5 s when left out. */
  readonly timeoutMs?: number;
}

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly data?: unknown;
  } | null;
}

/** Asks a node one thing; rejects with `Silence` when it says nothing, and with `Refusal` when it returns an error. */
export async function ask<T>(
  asked: Asked,
  method: string,
  codec: Codec<T>,
  params: readonly unknown[] = [],
): Promise<T> {
  const { result, error } = await call(asked, method, params);
  // Some write null for no error.
  if ((error ?? null) !== null) throw new Refusal(method, Object(error));
  try {
    return codec.decode(result, "result");
  } catch (problem) {
    if (!(problem instanceof DecodeError)) throw problem;
    throw new Silence(`what answers there is no such node: ${problem.message}`);
  }
}

async function call(asked: Asked, method: string, params: readonly unknown[]): Promise<RpcAnswer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const socket = socketOf(asked.url);
  if (socket !== undefined) return Object(await askSocket(socket, body, limitOf(asked)));
  const headers = { "content-type": "application/json" };
  const { status, text } = await send(asked, "", { method: "POST", headers, body });
  try {
    return Object(parseAnswer(text));
  } catch {
    throw new Silence(`what answers there is no node: HTTP ${status}`);
  }
}

/** Whether a path of the node's HTTP listener reports success. */
export async function isOk(asked: Asked, path: string): Promise<boolean> {
  return (await send(asked, path, { method: "GET" })).ok;
}

function limitOf({ signal, timeoutMs = TIMEOUT_MS }: Asked): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

async function send(asked: Asked, path: string, request: RequestInit) {
  try {
    const url = new URL(path, asked.url);
    const response = await fetch(url, { ...request, signal: limitOf(asked) });
    return { ok: response.ok, status: response.status, text: await readLimited(response) };
  } catch (error) {
    if (error instanceof Silence) throw error;
    throw new Silence(reasonOf(error, asked), { cause: error });
  }
}

function reasonOf(error: unknown, { timeoutMs = TIMEOUT_MS }: Asked): string {
  if (error instanceof Error && error.name === "TimeoutError") {
    return `no answer within ${timeoutMs / 1000} s`;
  }
  // The message of `fetch` is only "fetch failed"; the cause has the reason.
  return messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
}
