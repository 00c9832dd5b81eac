import { type Codec, DecodeError, messageOf } from "@plinth/core";
import { askSocket } from "./ask-socket.js";
import { type Access, socketOf } from "./find-access.js";
import { NoEntry } from "./no-entry.js";
import { parseAnswer } from "./parse-answer.js";
import { Refusal } from "./refusal.js";
import { sendHttp } from "./send-http.js";
import { Silence } from "./silence.js";

const TIMEOUT_MS = 5000;

/** A node that is asked, until the operator has enough of it. */
export interface Asked extends Access {
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
  const { status, text } = await send(asked, "", body);
  if (status === 401) throw new NoEntry(asked.token !== undefined);
  try {
    return Object(parseAnswer(text));
  } catch {
    throw new Silence(`what answers there is no node: HTTP ${status}`);
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
    if (error instanceof Silence) throw error;
    throw new Silence(reasonOf(error, asked), { cause: error });
  }
}

function reasonOf(error: unknown, { url, timeoutMs = TIMEOUT_MS }: Asked): string {
  const { name, code, cause } = Object(error);
  const isLate = [name, Object(cause).name].includes("TimeoutError");
  if (isLate) return `no answer within ${timeoutMs / 1000} s`;
  const remedy = new URL(url).protocol === "https:" ? remedyOf(code) : PLAIN_REMEDIES[code];
  return `${messageOf(error)}${remedy === undefined ? "" : `; ${remedy}`}`;
}

const PLAIN_REMEDIES: Readonly<Record<string, string>> = {
  ECONNRESET: "a node with TLS does so: --url=https://… or its --data-path",
  HPE_INVALID_CONSTANT: "it speaks no HTTP: --url=https://… for a node with TLS",
};

/** What helps against an error of TLS. */
function remedyOf(code: unknown): string | undefined {
  if (code === "EPROTO" || code === "ERR_SSL_WRONG_VERSION_NUMBER") {
    return "it speaks no TLS: --url=http://…";
  }
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") {
    return "the node needs another certificate, or a clock is wrong; its IPC socket needs none (--Xrpc-ipc-enabled)";
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return "ask it by a name that its certificate has, with --url";
  }
  if (code === "ECONNRESET" || String(code).startsWith("ERR_SSL_")) {
    return "where it asks for certificates of clients, ask its IPC socket (--Xrpc-ipc-enabled)";
  }
  return /CERT|SIGNATURE|ISSUER|VERIFY/.test(String(code))
    ? "--ca=FILE names its certificate, or that of its authority"
    : undefined;
}
