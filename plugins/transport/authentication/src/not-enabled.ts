import type { LoginReply } from "@plinth/kit-http";

/** The response to a login if tokens come from elsewhere, or are not needed. */
export const NOT_ENABLED: LoginReply = { status: 400, reason: "Authentication not enabled" };
