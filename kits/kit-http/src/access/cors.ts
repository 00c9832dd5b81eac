import fp from "fastify-plugin";
import { type NodePages, ownPageCheck } from "./node-pages.js";
import { readOrigins } from "./origins.js";
import { shownHeader } from "./shown-header.js";
import type { WildcardList } from "./wildcard-list.js";

/** The allowed origins. */
export interface CorsSettings {
  readonly origins: WildcardList;
  /** The option that sets them, for messages. */
  readonly option: string;
  readonly explainsRefusals: boolean;
  /** The URL prefixes of the listener itself, if its own pages may call, too. */
  readonly ownScheme: "http" | "https" | undefined;
  /** Pages of the node, on any of its ports. */
  readonly pages: readonly NodePages[];
  readonly hosts: WildcardList;
}

/** Rejects pages of origins that are not on the list, and responds to preflight requests. */
export const corsGuard = fp<CorsSettings>(async (server, settings) => {
  const { origins, option, ownScheme, explainsRefusals, pages, hosts } = settings;
  const isAllowed = readOrigins(origins, option);
  const isOwnPage = ownPageCheck(pages, hosts);
  server.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    reply.raw.setHeader("vary", "origin");
    if (origin === undefined) return done();
    // The host has already been checked.
    const own = ownScheme && `${ownScheme}://${request.headers.host}`;
    if (origin !== own && !isAllowed(origin) && !isOwnPage(origin, request.headers.host)) {
      reply.hijack();
      reply.raw.writeHead(403, { "content-type": "text/plain" });
      const reason = `: the origin ${shownHeader(origin)} is not in --${option}`;
      reply.raw.end(`Exception thrown handling RPC${explainsRefusals ? reason : ""}`);
      return;
    }
    reply.raw.setHeader("access-control-allow-origin", origins === "any" ? "*" : origin);
    const asked = request.headers["access-control-request-method"];
    if (request.method !== "OPTIONS" || asked === undefined) return done();
    reply.hijack();
    // The wildcard does not include the header of a token.
    reply.raw.writeHead(204, {
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": "*, authorization, content-type",
    });
    reply.raw.end();
  });
});
