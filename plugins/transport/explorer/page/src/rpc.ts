import { readJson, TooLarge } from "./read-json.js";
import { findToken } from "./session.js";

/** Calls that are sent together; a node may accept fewer. */
const MAX_BATCH = 60;
/** A response that takes longer is given up; tracing takes the longest. */
const TIMEOUT_MS = 120_000;
/** A larger response is given up: steps of a transaction with deep stacks may take gigabytes. */
const MAX_RESPONSE_BYTES = 128_000_000;
/** Those that take longer are sent alone, so that no other waits for them. */
const SLOW = /^(trace|debug|ots|priv|txpool|plinth_(artifacts|disk|verify|privacy))|getLogs$/;

/** An error that the node returned, or that prevented its response. */
export class CallError extends Error {
  readonly method: string;
  readonly code: number;
  readonly data: unknown;

  constructor(method: string, error: { code: number; message: string; data?: unknown }) {
    super(error.message);
    this.method = method;
    this.code = error.code;
    this.data = error.data;
  }

  /** The node does not offer the method. */
  get isMissing(): boolean {
    return this.code === -32601 || this.code === -32604;
  }

  /** The caller has no token, or one without the permission. */
  get isUnauthorized(): boolean {
    return this.code === -40100;
  }

  /** There was no response. */
  get isUnreachable(): boolean {
    return this.code === 0;
  }
}

interface Queued {
  readonly method: string;
  readonly params: readonly unknown[];
  resolve(result: unknown): void;
  reject(error: CallError): void;
}

/** The address of the node's JSON-RPC listener. */
let address = "";
let queue: Queued[] = [];
/** Lower if the listener accepts smaller batches only. */
let maxBatch = MAX_BATCH;

/** Sets where calls are sent. */
export function setAddress(url: string): void {
  address = url;
}

/** Where calls are sent. */
export function getAddress(): string {
  return address;
}

/** Calls a method; those of one moment are sent as a batch. */
export function call<T>(method: string, params: readonly unknown[] = []): Promise<T> {
  return new Promise((resolve, reject) => {
    const queued = { method, params, resolve: resolve as (result: unknown) => void, reject };
    if (SLOW.test(method)) {
      void send([queued]);
      return;
    }
    if (queue.length === 0) setTimeout(flush, 0);
    queue.push(queued);
  });
}

/** The same, but `undefined` if it fails. */
export async function attempt<T>(
  method: string,
  params: readonly unknown[] = [],
): Promise<T | undefined> {
  try {
    return await call<T>(method, params);
  } catch (error) {
    if (error instanceof CallError) return undefined;
    throw error;
  }
}

function flush(): void {
  const waiting = queue;
  queue = [];
  for (let start = 0; start < waiting.length; start += maxBatch) {
    void send(waiting.slice(start, start + maxBatch));
  }
}

async function send(calls: readonly Queued[]): Promise<void> {
  const requests = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
  let response: unknown;
  let status = 0;
  try {
    const token = findToken();
    const reply = await fetch(address, {
      method: "POST",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
      headers: {
        "content-type": "text/plain",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    status = reply.status;
    response = await readJson(reply, MAX_RESPONSE_BYTES);
  } catch (error) {
    const problem = describeFailure(error, status);
    for (const each of calls) each.reject(new CallError(each.method, problem));
    const isExpected = [TypeError, SyntaxError, DOMException, TooLarge].some(
      (type) => error instanceof type,
    );
    if (!isExpected) throw error;
    return;
  }
  settle(calls, response);
}

/** Why there is no response, if it had a status or none. */
function describeFailure(error: unknown, status: number): { code: number; message: string } {
  // The code with which a node refuses to send such a response.
  if (error instanceof TooLarge) return { code: -32003, message: error.message };
  if (status === 0) return { code: 0, message: "the node does not respond" };
  return { code: 0, message: `the node responded with status ${status} and no JSON` };
}

interface Response {
  readonly id?: number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

function settle(calls: readonly Queued[], response: unknown): void {
  if (!Array.isArray(response) && calls.length > 1) {
    const { error } = response as Response;
    // A batch that is too large: the calls are sent one by one from now on.
    if (error?.code === -32005 && error.data === undefined && maxBatch > 1) {
      maxBatch = 1;
      for (const each of calls) void send([each]);
      return;
    }
    for (const each of calls) each.reject(toError(each, error));
    return;
  }
  const responses = (Array.isArray(response) ? response : [response]) as readonly Response[];
  const byId = new Map(responses.map((each) => [each.id, each]));
  calls.forEach((each, id) => {
    const own = byId.get(id) ?? (calls.length === 1 ? responses[0] : undefined);
    if (own === undefined || own.error !== undefined) each.reject(toError(each, own?.error));
    else each.resolve(own.result);
  });
}

function toError({ method }: Queued, error: Response["error"]): CallError {
  return new CallError(
    method,
    error ?? { code: -32603, message: "the node did not respond to it" },
  );
}
