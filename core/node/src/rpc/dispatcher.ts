import { performance } from "node:perf_hooks";
import type {
  AuthorizeEvent,
  BlockReader,
  Compatibility,
  Logger,
  Method,
  RpcClient,
} from "@plinth/core";
import { LimitExceeded, messageOf, parseJson, RpcError } from "@plinth/core";
import { BlockPruned, StateMissing, StatePruned, StateUnavailable } from "@plinth/core/chain";
import { JsonTooComplex } from "@plinth/core/codec";
import { activities, readableError } from "@plinth/core/kernel";
import type { Authorized, RpcHooks } from "@plinth/core/rpc";
import {
  type Answer,
  answerTo,
  FollowedResult,
  isStreamed,
  type Response,
  respondWith,
  respondWithError,
  sizeOf,
} from "@plinth/core/rpc";
import { Denied, isDenial, verifyAllowed } from "./authorization.js";
import { answerBatch } from "./batch.js";
import { Body } from "./body.js";
import { encodeResult } from "./encode-result.js";
import { type Callee, MethodCall } from "./method-call.js";
import type { Namespaces } from "./namespaces.js";
import { idOfInvalid, isRequest, type RpcRequest } from "./read-request.js";
import { ResultChecks, ResultMismatch } from "./verify-result.js";

/** The dependencies of the dispatcher. */
export interface DispatcherSettings {
  readonly namespaces: Namespaces;
  readonly hooks: RpcHooks;
  /** The argument of a plugin's handlers for one caller, or why the plugin is idle. */
  readonly callFor: (plugin: string, client: RpcClient) => CallOrIdle;
  readonly log: Logger;
  readonly compatibility: Compatibility;
  /**
   * Decodes results with the codec of their method, all of the first and a sample of the later
   * ones: for development.
   */
  readonly verifiesResults?: boolean;
  /** Runs a method on a thread; `undefined` if it runs here. */
  readonly offload?: (call: MethodCall) => Promise<unknown> | undefined;
  /** The chain, if values of its states may be missing until they are fetched. */
  readonly partialChain?: () => PartialChain | undefined;
}

type PartialChain = Pick<BlockReader, "resolveMissing">;

/** The argument of a handler, or why its plugin is idle. */
export type CallOrIdle = { readonly call: object } | { readonly idle: string };

/** A call whose response is known. */
interface CompletedCall {
  /** As the caller wrote it. */
  readonly method: string;
  readonly client: RpcClient;
  readonly since: number;
  readonly until: number;
}

const NO_PARAMS: readonly unknown[] = Object.freeze([]);
/** Smaller responses are not counted: a connection has few of them in flight. */
const MIN_COUNTED_BYTES = 16 * 1024;

/**
 * Handles the bodies of every listener: envelope, batch, admit, then for each call authorize →
 * decode → handle → encode.
 */
export class Dispatcher {
  readonly #settings: DispatcherSettings;
  readonly #checks: ResultChecks | undefined;

  constructor(settings: DispatcherSettings) {
    this.#settings = settings;
    this.#checks = settings.verifiesResults === true ? new ResultChecks() : undefined;
  }

  /**
   * Handles one body: synchronously if the handler is synchronous. Never throws and never rejects.
   */
  answer(body: string, client: RpcClient): Answer | Promise<Answer> {
    const refusal = client.isAdmitted === true ? undefined : this.admit(client);
    if (refusal === undefined) return this.#answer(body, client);
    if (!(refusal instanceof Promise)) return refusal;
    return refusal.then((late) => late ?? this.#answer(body, client));
  }

  /**
   * Asks plugins whether a body is accepted; returns the response that rejects it. Never throws and
   * never rejects.
   */
  admit(client: RpcClient): Answer | undefined | Promise<Answer | undefined> {
    if (!this.#settings.hooks.admit.isUsed()) return undefined;
    const refuse = (error: unknown) =>
      answerTo(respondWithError("null", this.#refusalOf(error, undefined, client)));
    try {
      return this.#admit(client)?.then(() => undefined, refuse);
    } catch (error) {
      return refuse(error);
    }
  }

  /**
   * Asks plugins about a call that is not a method: returns why it is rejected, or how to end it.
   */
  async authorize(call: Omit<AuthorizeEvent, "endpoint">, cost: number): Promise<Authorized> {
    const { client, method } = call;
    const { admit, authorize } = this.#settings.hooks;
    try {
      if (admit.isUsed()) await this.#admit(client);
      const end = claimCall(client, { cost, offload: undefined });
      if (authorize.isUsed()) await this.#authorize({ ...call, endpoint: client.endpoint });
      return { end };
    } catch (error) {
      return { refusal: this.#refusalOf(error, method, client) };
    }
  }

  #answer(text: string, client: RpcClient): Answer | Promise<Answer> {
    let json: unknown;
    try {
      json = parseJson(text);
    } catch (error) {
      if (error instanceof JsonTooComplex) this.#settings.log.debug(error.message);
      return unparsable(RpcError.parseError());
    }
    if (typeof json !== "object" || json === null) return unparsable(RpcError.parseError());
    const body = new Body(text, client);
    if (Array.isArray(json)) return this.#answerBatch(json, body);

    const response = this.#respond(json, 0, body);
    if (response === undefined) return { outcome: "silent", parts: [] };
    return response instanceof Promise ? response.then(answerTo) : answerTo(response);
  }

  #answerBatch(batch: readonly unknown[], body: Body): Answer | Promise<Answer> {
    const { maxBatchSize } = body.client.endpoint;
    if (batch.length === 0) return unparsable(RpcError.invalidRequest());
    if (maxBatchSize > 0 && batch.length > maxBatchSize) {
      return answerTo(respondWithError("null", RpcError.batchTooLarge()));
    }
    let structured = 0;
    const respond = (entry: unknown, refusal: RpcError | undefined) => {
      const place = structured;
      if (typeof entry === "object" && entry !== null) structured += 1;
      return this.#respond(entry, place, body, refusal);
    };
    return answerBatch(batch, respond, body);
  }

  /** `place` is that of the request among the objects and lists of the body. */
  #respond(
    json: unknown,
    place: number,
    body: Body,
    refusal?: RpcError,
  ): Promise<Response> | Response | undefined {
    if (!isRequest(json)) {
      const { wrapsInvalidIds } = this.#settings.compatibility;
      const id = idOfInvalid(json, wrapsInvalidIds);
      return respondWithError(id, RpcError.invalidRequest());
    }
    // JSON has no undefined: it is a notification.
    if (json.id === undefined) return undefined;

    const idText = body.formatId(json.id, place);
    if (refusal !== undefined) return respondWithError(idText, refusal);
    return this.#handle(json, idText, body);
  }

  /** Synchronous if the handler is: a promise would cost more than most of such calls. */
  #handle(request: RpcRequest, idText: string, body: Body): Promise<Response> | Response {
    const { client, now: since } = body;
    let call: MethodCall;
    try {
      call = this.#find(request, idText, body);
    } catch (error) {
      const response = this.#fail(error, request.method, idText, client);
      const until = body.readClock();
      return this.#report(response, { method: request.method, client, since, until });
    }
    const response = this.#execute(call);
    if (response instanceof Promise) return response;
    const until = body.readClock();
    activities.note(call.entry.fullName, since, until);
    return this.#report(response, { method: call.name, client, since, until });
  }

  #report(response: Response, { method, client, since, until }: CompletedCall): Response {
    const { called } = this.#settings.hooks;
    if (called.isUsed()) {
      const { endpoint } = client;
      const seconds = (until - since) / 1000;
      called.call({ method, client, endpoint, seconds, error: response.error }, until);
    }
    return response;
  }

  #execute(call: MethodCall): Response | Promise<Response> {
    const { entry, client } = call;
    let end: (() => void) | undefined;
    try {
      end = claimCall(client, entry.method);
      const result = this.#run(call);
      if (result instanceof Promise) return this.#respondLater(result, call, end);
      return endWith(this.#encode(call, result), end, client);
    } catch (error) {
      end?.();
      return this.#fail(error, entry.fullName, call.idText, client);
    }
  }

  /** In one step after the result: each further promise costs as much as encoding it. */
  #respondLater(
    result: Promise<unknown>,
    call: MethodCall,
    end: (() => void) | undefined,
  ): Promise<Response> {
    const { entry, client, name, idText, since } = call;
    const respond = (response: Response) => {
      const ended = endWith(response, end, client);
      return this.#report(ended, { method: name, client, since, until: performance.now() });
    };
    const fail = (error: unknown) => respond(this.#fail(error, entry.fullName, idText, client));
    const succeed = (value: unknown) => {
      let response: Response;
      try {
        response = this.#encode(call, value);
      } catch (error) {
        return fail(error);
      }
      return respond(response);
    };
    return result.then(succeed, fail);
  }

  #find({ method, params }: RpcRequest, idText: string, body: Body): MethodCall {
    const { client, now: since, callee: last } = body;
    const isLast = last?.name === method && this.#settings.namespaces.isEnabled(last.entry);
    const callee = isLast ? last : this.#lookUp(method, client);
    body.callee = callee;
    return new MethodCall(callee, { params: params ?? NO_PARAMS, idText, since });
  }

  /** Asks the plugins that may reject a call, then runs it. */
  #run(call: MethodCall): unknown {
    const { authorize } = this.#settings.hooks;
    const guarded = authorize.isUsed() ? this.#authorize(call.guarded()) : undefined;
    return guarded === undefined ? this.#runAllowed(call) : this.#runAfter(guarded, call);
  }

  #runAfter(guarded: Promise<void>, call: MethodCall): Promise<unknown> {
    const run = () => this.#runAllowed(call);
    // What runs in a later turn is not noted with its response.
    return guarded.then(() => activities.track(call.entry.fullName, run));
  }

  /** Runs a call; plugins may explain its error. */
  #runAllowed(call: MethodCall): unknown {
    if (!this.#settings.hooks.failed.isUsed()) return this.#runWhole(call);
    try {
      const result = this.#runWhole(call);
      return result instanceof Promise ? this.#explainLater(result, call) : result;
    } catch (error) {
      return this.#explain(error, call);
    }
  }

  #explainLater(result: Promise<unknown>, call: MethodCall): Promise<unknown> {
    return result.catch((error: unknown) => this.#explain(error, call));
  }

  /** Runs a call, and again once the values that it misses are fetched. */
  #runWhole(call: MethodCall): unknown {
    const partial = this.#settings.partialChain?.();
    return partial === undefined ? this.#runOnce(call) : this.#runOnPartial(call, partial);
  }

  #runOnPartial(call: MethodCall, partial: PartialChain): unknown {
    const runOnce = () => this.#runOnce(call);
    // What runs in a later turn, or ends in one, is not noted with its response.
    const runLater = () => activities.track(call.entry.fullName, runOnce);
    return orElse(runOnce, (error) => resolveMissing(partial, error, runLater));
  }

  #runOnce(call: MethodCall): unknown {
    const away = this.#settings.offload?.(call);
    if (away !== undefined) return away;
    const result = call.handle();
    if (result instanceof Promise) activities.follow(call.entry.fullName, call.since, result);
    return result;
  }

  #encode({ entry, client, idText }: MethodCall, result: unknown): Response {
    const isFollowed = result instanceof FollowedResult;
    const value = isFollowed ? result.value : result;
    const part = this.#checks?.encode(entry, value) ?? encodeResult(entry.method, value);
    const response = claimMemory(respondWith(idText, part), idText, client);
    const isSent = isFollowed && response.error === undefined;
    return isSent ? { ...response, sent: result.follow } : response;
  }

  #fail(thrown: unknown, method: string, idText: string, client: RpcClient): Response {
    const error = this.#noteDenied(thrown, method, client);
    return claimMemory(this.#respondWithFailure(idText, error, method), idText, client);
  }

  #respondWithFailure(idText: string, error: unknown, method: string): Response {
    try {
      return respondWithError(idText, this.#toRpcError(error, method));
    } catch (problem) {
      // An RpcError may contain data that is not serializable.
      return respondWithError(idText, this.#toRpcError(problem, method));
    }
  }

  #lookUp(name: string, client: RpcClient): Callee {
    const { endpoint } = client;
    const { callFor, compatibility } = this.#settings;
    const entry = this.#settings.namespaces.find(name);
    const { mode, hasBareErrors } = compatibility;
    if (entry === undefined || entry.method.absentIn === mode) throw RpcError.methodNotFound();
    if (!endpoint.offers(entry)) {
      throw RpcError.methodNotEnabled(hasBareErrors ? undefined : endpoint.describeMissing(entry));
    }
    const found = callFor(entry.plugin, client);
    if (!("idle" in found)) return { name, entry, client, argument: found.call, compatibility };
    throw RpcError.methodNotEnabled(mode === "besu" ? undefined : found.idle);
  }

  /** Throws the error with which a plugin rejects a body; a promise if plugins are asynchronous. */
  #admit(client: RpcClient): Promise<void> | undefined {
    const { endpoint } = client;
    return verifyAllowed(this.#settings.hooks.admit.call({ client, endpoint }));
  }

  /** Throws the error of a handler; plugins may add details. */
  async #explain(thrown: unknown, call: MethodCall): Promise<never> {
    activities.note(call.entry.fullName, call.since);
    const error = readableError(thrown);
    if (!(error instanceof RpcError)) throw error;
    throw await this.#settings.hooks.failed.call(error, call.guarded());
  }

  #authorize(event: AuthorizeEvent): Promise<void> | undefined {
    return verifyAllowed(this.#settings.hooks.authorize.call(event));
  }

  /** The error of a rejection, which is reported to plugins that count them. */
  #noteDenied(thrown: unknown, method: string | undefined, client: RpcClient): unknown {
    const error = readableError(thrown);
    const denied = error instanceof Denied ? error.error : error;
    const { denied: hook } = this.#settings.hooks;
    if (isDenial(error) && denied instanceof RpcError && hook.isUsed()) {
      hook.call({ method, client, endpoint: client.endpoint, error: denied });
    }
    return denied;
  }

  #refusalOf(error: unknown, method: string | undefined, client: RpcClient): RpcError {
    return this.#toRpcError(this.#noteDenied(error, method, client), method ?? "rpc.admit");
  }

  #toRpcError(error: unknown, method: string): RpcError {
    if (error instanceof ResultMismatch) this.#settings.log.error(error.message);
    if (error instanceof RpcError) return error;
    if (error instanceof StatePruned) {
      const { mode } = this.#settings.compatibility;
      const message = mode === "besu" ? "World state unavailable" : error.message;
      return new RpcError(STATE_UNAVAILABLE, message);
    }
    if (error instanceof StateUnavailable) return new RpcError(STATE_UNAVAILABLE, error.message);
    if (error instanceof BlockPruned) return new RpcError(HISTORY_PRUNED, error.message);
    const plugin = this.#settings.namespaces.find(method)?.plugin;
    this.#settings.log.error(`${method} failed: ${messageOf(error)}`, { owner: plugin, error });
    return RpcError.internal();
  }
}

/** The code of Besu for a state that it does not have. */
const STATE_UNAVAILABLE = -32000;
/** The code of the specification for blocks that a node has removed. */
const HISTORY_PRUNED = 4444;

/** Runs a method again if it failed because its state misses values. */
async function resolveMissing(
  chain: PartialChain,
  error: unknown,
  run: () => unknown,
): Promise<unknown> {
  if (!(error instanceof StateMissing)) throw error;
  return chain.resolveMissing(run);
}

/** The result of work, synchronous if it is, or of the recovery from its failure. */
function orElse(work: () => unknown, failed: (error: unknown) => Promise<unknown>): unknown {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(failed) : result;
  } catch (error) {
    return failed(error);
  }
}

/** Counts a call if its client has limits; throws if it is throttled. */
function claimCall(
  { calls, identity }: RpcClient,
  { cost, offload }: Pick<Method<unknown>, "cost" | "offload">,
): (() => void) | undefined {
  if (calls === undefined) return undefined;
  const claimed = calls.claim({ cost, isHeavy: offload === "long", identity: identity?.name });
  if (claimed instanceof LimitExceeded) throw claimed;
  return claimed;
}

/**
 * Ends a call with its response: at once, or when a stream was sent or its client has disconnected.
 */
function endWith(response: Response, end: (() => void) | undefined, client: RpcClient): Response {
  if (end === undefined) return response;
  if (!isStreamed(response.parts)) {
    end();
    return response;
  }
  client.closed.addEventListener("abort", end, { once: true });
  const release = () => {
    end();
    response.release?.();
  };
  return { ...response, release };
}

/** Reserves the memory of a large response; replaces it by an error if there is none. */
function claimMemory(response: Response, idText: string, { budget }: RpcClient): Response {
  const bytes = sizeOf(response.parts);
  if (bytes < MIN_COUNTED_BYTES || budget === undefined) return response;
  if (!budget.claim(bytes)) return respondWithError(idText, RpcError.responseTooLarge());
  return { ...response, release: () => budget.release(bytes) };
}

/** A body without any request in it. */
function unparsable(error: RpcError): Answer {
  return { ...answerTo(respondWithError("null", error)), outcome: "unparsable" };
}
