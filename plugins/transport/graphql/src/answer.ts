import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type BlockReader,
  LimitExceeded,
  type RpcClient,
  type RpcError,
  type Runtime,
} from "@plinth/core";
import type { Endpoint } from "@plinth/core/rpc";
import { type ClientLimits, type ResponseGuard, sendParts } from "@plinth/kit-http";
import type { QuerySettings } from "@plinth/plugin-rpc-eth/api";
import type { GraphQLError } from "graphql/index.js";
import { describeError } from "./answers/describe-error.js";
import { writeJson } from "./answers/write-json.js";
import { Budget } from "./budget.js";
import { ChainReader } from "./chain-reader.js";
import { DIFFERENCES } from "./differences.js";
import type { Documents } from "./documents/documents.js";
import { type AnsweredError, Refusal } from "./documents/refusal.js";
import { type GraphqlRequest, UnreadableRequest } from "./read-request.js";

/** Dependencies of responses. */
export interface AnswerSettings {
  readonly endpoint: Endpoint;
  readonly runtime: Runtime;
  readonly guard: ResponseGuard;
  readonly limits: ClientLimits;
  readonly blocks: BlockReader;
  readonly settings: QuerySettings;
  readonly documents: Documents;
}

/** A request in progress, and the library function that executes a document for it. */
interface Reply {
  readonly request: { readonly raw: IncomingMessage };
  readonly raw: ServerResponse;
  hijack(): unknown;
  graphql(
    source: string,
    context: object,
    variables: Readonly<Record<string, unknown>> | undefined,
    operationName: string | undefined,
  ): Promise<{ readonly data?: unknown; readonly errors?: readonly GraphQLError[] | undefined }>;
}

/** Body and status of a response. */
interface GraphqlResponse {
  readonly status: number;
  readonly body: { readonly errors?: readonly AnsweredError[]; readonly data?: unknown };
}

/** Approximate memory limit of one request. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;
const MAX_TIME_MS = 300_000;
/** Weight of a request for rate limits, equal to that of a simulated call. */
const QUERY_COST = 5;
const JSON_TYPE = "application/json; charset=utf-8";

/** Responds to requests: `verifyCaller` before the body is read, `answer` once it is. */
export function createAnswerer(settings: AnswerSettings) {
  const { runtime, guard } = settings;
  const differences = DIFFERENCES[runtime.compatibility.mode];
  const indent = differences.writesLines ? 2 : undefined;

  const send = async ({ raw, request }: Reply, { status, body }: GraphqlResponse) => {
    const text = writeJson(body, indent);
    const budget = guard.budgetOf(request.raw.socket);
    if (!budget.claim(text.length)) throw Refusal.of("Response too large", "ExecutionAborted");
    const acceptEncoding = request.raw.headers["accept-encoding"];
    const answer = { status, contentType: JSON_TYPE, parts: [text], acceptEncoding };
    try {
      await sendParts(raw, answer, guard);
    } finally {
      budget.release(text.length);
    }
  };

  const refuse = async (reply: Reply, error: unknown) => {
    // The timeout has already responded with 504.
    if (reply.raw.headersSent) return;
    if (error instanceof UnreadableRequest && differences.reportsBadJsonAsResult) {
      reply.raw.writeHead(400).end(JSON.stringify({ result: `Failed to decode:${error.message}` }));
    } else {
      if (error instanceof Unauthorized) error.writeHeaders(reply.raw);
      await send(reply, refusalOf(error, runtime));
    }
  };

  const verifyCaller = async (reply: Reply): Promise<void> => {
    try {
      await authorize("query", clientOf(reply, settings), { rpc: runtime.rpc, cost: 0 });
    } catch (error) {
      reply.hijack();
      await refuse(reply, error);
    }
  };

  const answer = async (reply: Reply, read: () => GraphqlRequest): Promise<void> => {
    reply.hijack();
    if (!acceptsJson(reply.request.raw.headers.accept)) {
      reply.raw.writeHead(406).end();
      return;
    }
    const client = clientOf(reply, settings);
    let end: (() => void) | undefined;
    try {
      // Before anything of the request is parsed.
      end = await authorize("query", client, { rpc: runtime.rpc, cost: QUERY_COST });
      const wanted = read();
      const operation = settings.documents.admit(wanted.query, wanted.operationName);
      if (operation.kind === "mutation" && reply.request.raw.method === "GET") {
        reply.raw.writeHead(405, { allow: "POST" }).end();
        return;
      }
      if (operation.kind === "mutation") {
        await authorize("mutation", client, { rpc: runtime.rpc, cost: 0 });
      }
      operation.verifyVariables(wanted.variables ?? {});
      await send(reply, await run(reply, { wanted, operation, settings }));
    } catch (error) {
      await refuse(reply, error);
    } finally {
      end?.();
    }
  };

  return { verifyCaller, answer };
}

/** A caller that is not authorized, or must wait. */
class Unauthorized extends Error {
  readonly #error: RpcError;

  constructor(error: RpcError) {
    super(error.message);
    this.#error = error;
  }

  get status(): number {
    return this.#error instanceof LimitExceeded ? 429 : 401;
  }

  describe(): AnsweredError {
    const { message, rpcCode: errorCode } = this.#error;
    const classification = "ExecutionAborted";
    return { message, extensions: { errorCode, errorMessage: message, classification } };
  }

  writeHeaders(response: ServerResponse): void {
    if (!(this.#error instanceof LimitExceeded)) return;
    response.setHeader("retry-after", Math.ceil(this.#error.retryAfterMs / 1000));
  }
}

/** Checks plugins and limits; throws if the caller must not continue. */
async function authorize(
  kind: "query" | "mutation",
  client: RpcClient,
  { rpc, cost }: Pick<Runtime, "rpc"> & { readonly cost: number },
): Promise<(() => void) | undefined> {
  const call = { method: `graphql_${kind}`, permission: `graphql:${kind}`, client, params: {} };
  const { refusal, end } = await rpc.authorize(call, cost);
  if (refusal !== undefined) throw new Unauthorized(refusal);
  return end;
}

/** The caller of a request, for authorization. */
function clientOf({ request, raw }: Reply, { endpoint, limits }: AnswerSettings): RpcClient {
  const { headers } = request.raw;
  const remoteAddress = limits.addressOf(request.raw);
  const closed = new AbortController();
  raw.once("close", () => closed.abort());
  const calls = limits.callsOf(remoteAddress);
  return { endpoint, headers, remoteAddress, calls, closed: closed.signal };
}

/** Executes an operation within its limits of time and size. */
async function run(
  reply: Reply,
  {
    wanted,
    operation,
    settings,
  }: {
    readonly wanted: GraphqlRequest;
    readonly operation: ReturnType<Documents["admit"]>;
    readonly settings: AnswerSettings;
  },
): Promise<GraphqlResponse> {
  const { runtime, blocks } = settings;
  const { chain, pool, compatibility, clock, log } = runtime;
  const aborting = new AbortController();
  const { signal } = aborting;
  const abort = () => aborting.abort();
  reply.raw.once("close", abort);
  const cancel = clock.after(MAX_TIME_MS, () => {
    abort();
    reply.raw.writeHead(504, { connection: "close" }).end();
  });
  const budget = new Budget(MAX_REQUEST_BYTES, signal);
  const differences = DIFFERENCES[compatibility.mode];
  const readerContext = {
    blocks,
    query: runtime.query,
    client: { connection: reply.raw.socket ?? reply.raw, closed: signal },
    pool,
    compatibility,
    differences,
    settings: settings.settings,
    budget,
  };
  const context = {
    chain,
    signal,
    budget,
    costs: operation.costs,
    sync: runtime.sync,
    network: runtime.network,
    reader: new ChainReader(readerContext),
  };
  try {
    const { data, errors = [] } = await reply.graphql(
      operation.source,
      context,
      wanted.variables,
      wanted.operationName,
    );
    if (budget.end !== undefined) throw Refusal.of(budget.end, "ExecutionAborted");
    if (errors.length === 0) return { status: 200, body: { data } };
    const report = once((error) => log.error("a GraphQL field failed", { error }));
    return {
      status: 400,
      body: { errors: errors.map((error) => describeError(error, report)), data },
    };
  } catch (error) {
    if (!isValidation(error)) throw error;
    throw new Refusal(settings.documents.describe(wanted.query, error.errors));
  } finally {
    cancel();
    reply.raw.off("close", abort);
  }
}

function refusalOf(error: unknown, { log }: Pick<Runtime, "log">): GraphqlResponse {
  if (error instanceof Refusal) {
    log.debug(`a GraphQL request was rejected: ${error.errors[0]?.message}`);
    return { status: 400, body: { errors: error.errors } };
  }
  if (error instanceof UnreadableRequest) {
    return refusalOf(Refusal.of(`Failed to decode: ${error.message}`, "InvalidSyntax"), { log });
  }
  if (error instanceof Unauthorized) {
    return { status: error.status, body: { errors: [error.describe()] } };
  }
  log.error("a GraphQL request failed", { error });
  const internal = Refusal.of("Internal error", "ExecutionAborted");
  return { status: 500, body: { errors: internal.errors } };
}

function acceptsJson(accept: string | undefined): boolean {
  return (
    accept === undefined ||
    accept === "" ||
    /(application|\*)\/(json|graphql-response\+json|\*)/i.test(accept)
  );
}

/** Whether an error is the library's for an invalid document. */
function isValidation(error: unknown): error is { readonly errors: readonly GraphQLError[] } {
  return Object(error).code === "MER_ERR_GQL_VALIDATION";
}

/** One of many errors of a kind is enough. */
function once(report: (error: unknown) => void): (error: unknown) => void {
  let isDone = false;
  return (error) => {
    if (!isDone) report(error);
    isDone = true;
  };
}
