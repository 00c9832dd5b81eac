import { type Codec, DecodeError, messageOf } from "@plinth/core";
import { askSocket } from "./ask-socket.js";
import { type Access, socketOf } from "./find-access.js";
import { NoEntry } from "./no-entry.js";
import { NodeUnreachable } from "./node-unreachable.js";
import { parseAnswer } from "./parse-answer.js";
import { Refusal } from "./refusal.js";
import { sendHttp } from "./send-http.js";

const TIMEOUT_MS = 5000;

/** A node to query, with an abort signal of the operator. */
export interface Asked extends Access {
  readonly signal: AbortSignal;
  /** Timeout of the node; 5 s by default. */
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

/**
 * Calls a method of a node; rejects with `NodeUnreachable` if it does not respond, and with `Refusal` if it
 * returns an error.
 */
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
    throw new NodeUnreachable(`the response is not from a suitable node: ${problem.message}`);
  }
}

async function call(asked: Asked, method: string, params: readonly unknown[]): Promise<RpcAnswer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const socket = socketOf(asked.url);
  if (socket !== undefined) return Object(await askSocket(socket, body, limitOf(asked)));
  const { status, text } = await send(asked, "", body);
  if (status === 401) throw new NoEntry(asked.token !== undefined);
  try {
    return Object(parseAnswer(text));
  } catch {
    throw new NodeUnreachable(`the response is not from a node: HTTP ${status}`);
  }
}

/** Whether a path of the node's HTTP listener reports success. */
export async function isOk(asked: Asked, path: string): Promise<boolean> {
  const { status } = await send(asked, path);
  return status >= 200 && status < 300;
}

function limitOf({ signal, timeoutMs = TIMEOUT_MS }: Asked): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

async function send(asked: Asked, path: string, body?: string) {
  try {
    const request = { path, signal: limitOf(asked), ...(body === undefined ? {} : { body }) };
    return await sendHttp(asked, request);
  } catch (error) {
    if (error instanceof NodeUnreachable) throw error;
    throw new NodeUnreachable(reasonOf(error, asked), { cause: error });
  }
}

function reasonOf(error: unknown, { url, timeoutMs = TIMEOUT_MS }: Asked): string {
  const { name, code, cause } = Object(error);
  const isLate = [name, Object(cause).name].includes("TimeoutError");
  if (isLate) return `no response within ${timeoutMs / 1000} s`;
  const remedy = new URL(url).protocol === "https:" ? remedyOf(code) : PLAIN_REMEDIES[code];
  return `${messageOf(error)}${remedy === undefined ? "" : `; ${remedy}`}`;
}

const PLAIN_REMEDIES: Readonly<Record<string, string>> = {
  ECONNRESET: "use --url=https://… or its --data-path for a node with TLS",
  HPE_INVALID_CONSTANT: "the response is not HTTP: use --url=https://… for a node with TLS",
};

/** Advice for a TLS error. */
function remedyOf(code: unknown): string | undefined {
  if (code === "EPROTO" || code === "ERR_SSL_WRONG_VERSION_NUMBER") {
    return "it does not support TLS: --url=http://…";
  }
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") {
    return "the node needs another certificate, or a clock is wrong; its IPC socket needs none (--Xrpc-ipc-enabled)";
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return "use a name that its certificate has, with --url";
  }
  if (code === "ECONNRESET" || String(code).startsWith("ERR_SSL_")) {
    return "if it requires client certificates, use its IPC socket (--Xrpc-ipc-enabled)";
  }
  return /CERT|SIGNATURE|ISSUER|VERIFY/.test(String(code))
    ? "--ca=FILE names its certificate, or that of its authority"
    : undefined;
}
