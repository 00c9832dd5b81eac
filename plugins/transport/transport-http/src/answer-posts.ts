import type { ServerResponse } from "node:http";
import { messageOf, type Runtime } from "@plinth/core";
import type { Answer, Endpoint, Outcome } from "@plinth/core/rpc";
import { type BodyHandler, type PostHandler, sendParts } from "@plinth/kit-http";
import { Deadlines } from "./deadlines.js";
import { HttpClient, type HttpGuards } from "./http-client.js";
import { indentAnswer } from "./indent-answer.js";
import { MIN_BLOCK, type MinBlock, type NotYet } from "./min-block.js";

const STATUS: Readonly<Record<Outcome, number>> = {
  answered: 200,
  silent: 200,
  unparsable: 400,
  invalid: 400,
  refused: 401,
  limited: 429,
};

const UNAVAILABLE = 503;
const JSON_TYPE = "application/json";
const TIMED_OUT = '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Timeout expired"}}';

/**
 * Passes bodies of admitted callers to the node and sends back its response, within the time limit.
 */
export function answerPosts(settings: {
  readonly endpoint: Endpoint;
  readonly runtime: Runtime;
  readonly guards: HttpGuards;
  readonly timeoutMs: number;
  readonly minBlock: MinBlock;
  /** Whether responses are indented. */
  readonly isIndented: boolean;
}): PostHandler {
  const { endpoint, timeoutMs, runtime, guards, minBlock, isIndented } = settings;
  const { guard } = guards;
  const { rpc, log } = runtime;
  const deadlines = new Deadlines(runtime.clock, timeoutMs);
  return (request, response) => {
    const { accept, "accept-encoding": acceptEncoding } = request.headers;
    if (!acceptsJson(accept)) {
      response.writeHead(406, { vary: "origin" }).end();
      return undefined;
    }
    const client = new HttpClient(endpoint, response, guards);
    const send = (answer: Answer) => {
      const { parts } = answer;
      if (answer.retryAfterMs !== undefined) {
        response.setHeader("retry-after", Math.ceil(answer.retryAfterMs / 1000));
      }
      const sending = sendParts(
        response,
        {
          status: STATUS[answer.outcome],
          contentType: contentTypeOf(answer),
          parts: isIndented ? indentAnswer(parts) : parts,
          acceptEncoding,
        },
        guard,
      );
      if (sending === undefined) answer.release?.();
      return sending
        ?.catch((error: unknown) => {
          // The status is already sent: cutting the connection is how the caller learns of it.
          log.debug(`a response was cut off: ${messageOf(error)}`);
          response.destroy();
        })
        .finally(() => answer.release?.());
    };
    const answerBody: BodyHandler = (body) => {
      const result = rpc.answer(body, client);
      // A streamed batch is still executed while it is sent.
      if (!(result instanceof Promise) && result.isExecuting !== true) return send(result);
      const cancel = deadlines.begin(response, () => {
        client.close();
        // The remaining members of a batch get an error.
        if (response.headersSent) return;
        const headers = { "content-type": JSON_TYPE, vary: "origin", connection: "close" };
        response.writeHead(408, headers).end(TIMED_OUT);
      });
      const sendInTime = (answer: Answer) => {
        if (answer.isExecuting !== true) cancel();
        if (!response.headersSent) return send(answer)?.finally(cancel);
        cancel();
        answer.release?.();
        return undefined;
      };
      return result instanceof Promise ? result.then(sendInTime) : sendInTime(result);
    };
    const admit = (refusal: Answer | undefined) => {
      if (refusal === undefined) return answerBody;
      void send(refusal);
      return undefined;
    };
    const refusal = rpc.admit(client);
    const admitted = refusal instanceof Promise ? refusal.then(admit) : admit(refusal);
    const wanted = request.headers[MIN_BLOCK];
    if (wanted === undefined) return admitted;
    return (async () => {
      const handler = await admitted;
      if (handler === undefined) return undefined;
      const notYet = await minBlock.wait(String(wanted), client.closed);
      if (notYet !== undefined) sendNotYet(response, notYet);
      return notYet === undefined ? handler : undefined;
    })();
  };
}

function sendNotYet(response: ServerResponse, { status, code, message }: NotYet): void {
  const error = { code, message };
  const retry = status === UNAVAILABLE ? { "retry-after": "1" } : {};
  response
    .writeHead(status, { "content-type": JSON_TYPE, vary: "origin", ...retry })
    .end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
}

/** A body without any request gets no content type, as existing clients expect. */
function contentTypeOf({ outcome }: Answer): string | undefined {
  return outcome === "unparsable" ? undefined : JSON_TYPE;
}

function acceptsJson(accept: string | undefined): boolean {
  return accept === undefined || accept === "" || /(application|\*)\/(json|\*)/i.test(accept);
}
