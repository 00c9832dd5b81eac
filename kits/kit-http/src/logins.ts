import type { IncomingMessage, ServerResponse } from "node:http";
import { defineContributionPoint, type Logger, messageOf } from "@plinth/core";
import type { FindAddress } from "./limits/client-address.js";
import type { HttpServer } from "./server/http-server-settings.js";

/** A caller that requests a token. */
export interface LoginRequest {
  readonly body: string;
  /** The address of the client. */
  readonly client: string | undefined;
}

/** The response to a login. */
export interface LoginReply {
  readonly status: number;
  /** Overrides the reason phrase of the status. */
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Handles `POST /login` of a listener. */
export interface Login {
  /** The name of the endpoint whose callers log in. */
  readonly endpoint: string;
  answer(request: LoginRequest): Promise<LoginReply>;
}

/** The contribution point of logins, for a plugin that authenticates callers. */
export const logins = defineContributionPoint<Login>("kit-http.logins", {
  summary: "Handles `POST /login` of a listener.",
  key: { label: "login", of: ({ endpoint }) => endpoint },
});

/** The login of a listener, if a plugin has one. */
export function findLogin(all: readonly Login[], endpoint: string): Login | undefined {
  return all.find((login) => login.endpoint === endpoint);
}

/** Serves the login of a listener, if there is one. */
export function addLogin(
  server: HttpServer,
  login: Login | undefined,
  { log, addressOf }: { readonly log: Logger; readonly addressOf: FindAddress },
): void {
  if (login === undefined) return;
  server.post("/login", async (request, reply) => {
    reply.hijack();
    const body = typeof request.body === "string" ? request.body : "";
    await answer(login, { request: request.raw, response: reply.raw, body, log, addressOf });
  });
}

async function answer(
  login: Login,
  {
    request,
    response,
    body,
    log,
    addressOf,
  }: {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly body: string;
    readonly log: Logger;
    readonly addressOf: FindAddress;
  },
): Promise<void> {
  let reply: LoginReply;
  try {
    reply = await login.answer({ body, client: addressOf(request) });
  } catch (error) {
    log.error(`the login of ${login.endpoint} failed: ${messageOf(error)}`, { error });
    reply = {
      status: 500,
      headers: { "content-type": "text/plain" },
      body: "Internal Server Error",
    };
  }
  const { status, reason, headers = {}, body: text = "" } = reply;
  const all = { ...headers, vary: "origin", "cache-control": "no-store" };
  if (reason === undefined) response.writeHead(status, all);
  else response.writeHead(status, reason, all);
  response.end(text);
}
