import {
  type HttpRoute,
  type RouteReply,
  type RouteRequest,
  type Runtime,
  toQuantity,
} from "@plinth/core";
import type { ChangeStream } from "../service.js";
import { descriptor, formatChange } from "./change-json.js";
import { PERMISSION } from "./permission.js";
import { Problem, toProblem } from "./problem.js";
import { type RangeQuery, readRangeQuery } from "./range-query.js";
import { RequestSlots } from "./request-slots.js";

/** The last record when the response began: shows a reader how far behind it is. */
const LAST_SEQUENCE = "x-plinth-last-sequence";
const LINES = "application/x-ndjson";
/** The record that reaches this size is the last one of a response. */
const MAX_BYTES = 32 * 2 ** 20;
/** Their weight for rate limits: that of a call that takes long. */
const COST = 20;
const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** `GET /changes` returns a range of records, one JSON object per line, `GET /changes/stream` where they begin and end. */
export function changeRoutes(find: () => ChangeStream): readonly HttpRoute<Runtime>[] {
  const slots = new RequestSlots();
  return [
    {
      method: "GET",
      path: "/changes",
      handle: (request, { rpc }) =>
        orProblem(async () => {
          const end = await authorize(request, rpc);
          if (end !== undefined) whenAborted(request.signal, end);
          whenAborted(request.signal, slots.take(request.client));
          return readRange(find(), readRangeQuery(request.query), request.signal);
        }),
    },
    {
      method: "GET",
      path: "/changes/stream",
      handle: (request, { rpc }) =>
        orProblem(async () => {
          const end = await authorize(request, rpc);
          end?.();
          return { headers: HEADERS, json: descriptor.encode(find().descriptor) };
        }),
    },
  ];
}

/** Throws the error of a plugin or a limit that rejects the caller; call the result when the request has ended. */
async function authorize(
  { client }: RouteRequest,
  rpc: Runtime["rpc"],
): Promise<(() => void) | undefined> {
  const call = { method: "changes", permission: PERMISSION, client, params: {} };
  const { refusal, end } = await rpc.authorize(call, COST);
  if (refusal !== undefined) throw refusal;
  return end;
}

async function readRange(
  stream: ChangeStream,
  query: RangeQuery,
  signal: AbortSignal,
): Promise<RouteReply> {
  const { sequence, waitMs } = query;
  stream.verify(query);
  if (waitMs > 0) await stream.wait(sequence, { timeoutMs: waitMs, signal });
  // Its errors set the status; those of later lines are lines.
  const first = await readLine(stream, query, sequence);
  return {
    headers: {
      ...HEADERS,
      "content-type": LINES,
      [LAST_SEQUENCE]: toQuantity(stream.descriptor.lastSequence),
    },
    body: first === undefined ? "" : readLines(stream, query, { first, signal }),
  };
}

async function* readLines(
  stream: ChangeStream,
  query: RangeQuery,
  { first, signal }: { readonly first: string; readonly signal: AbortSignal },
): AsyncGenerator<string, undefined> {
  yield first;
  let bytes = first.length;
  const end = query.sequence + BigInt(query.limit);
  try {
    for (let sequence = query.sequence + 1n; sequence < end; sequence++) {
      if (bytes >= MAX_BYTES || signal.aborted) return;
      const line = await readLine(stream, query, sequence);
      if (line === undefined) return;
      yield line;
      bytes += line.length;
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    yield lineOf({ error: error.toJson() });
  }
}

async function readLine(
  stream: ChangeStream,
  { state }: Pick<RangeQuery, "state">,
  sequence: bigint,
): Promise<string | undefined> {
  try {
    const record = stream.find(sequence);
    return record && lineOf(formatChange(await stream.load(record, { state })));
  } catch (error) {
    throw toProblem(error, sequence);
  }
}

function lineOf(json: object): string {
  return `${JSON.stringify(json)}\n`;
}

/** The reply of a handler, or that of the problem that it throws. */
async function orProblem(handle: () => Promise<RouteReply>): Promise<RouteReply> {
  try {
    return await handle();
  } catch (error) {
    const problem = toProblem(error);
    if (!(problem instanceof Problem)) throw problem;
    const { status, retryAfterMs } = problem;
    const retry =
      retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) };
    return { status, headers: { ...HEADERS, ...retry }, json: { error: problem.toJson() } };
  }
}

function whenAborted(signal: AbortSignal, work: () => void): void {
  if (signal.aborted) work();
  else signal.addEventListener("abort", work, { once: true });
}
