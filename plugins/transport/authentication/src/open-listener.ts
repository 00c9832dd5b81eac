import type { Clock, Logger } from "@plinth/core";
import type { PasswordChecker } from "@plinth/core/primitives";
import type { DenialLog, Login } from "@plinth/kit-http";
import type { GuardedListener } from "./guarded-listeners.js";
import { ListenerGuard } from "./listener-guard.js";
import { UserLogin } from "./login.js";
import { readPublicKey } from "./public-key.js";
import { TokenIssuer } from "./token-issuer.js";
import { TokenVerifier } from "./token-verifier.js";
import { isReadByAll, readUsers } from "./users-file.js";

/** A listener with its guard. */
export interface OpenListener {
  readonly guard: ListenerGuard;
  /** `undefined` if tokens come from elsewhere. */
  readonly login: Login | undefined;
}

/** Shared dependencies of guards. */
export interface GuardParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly checker: PasswordChecker;
  readonly denials: DenialLog;
}

/** Reads the files of a listener and creates its guard; throws if they are invalid. */
export async function openListener(
  listener: GuardedListener,
  parts: GuardParts,
): Promise<OpenListener> {
  const { source, endpoint } = listener;
  if (source.kind === "issuer") {
    const key = await readPublicKey(source.keyFile, source.algorithm);
    const verifier = new TokenVerifier(key, source.algorithm, parts.clock);
    const guard = new ListenerGuard(listener, (token) => verifier.identify(token));
    return { guard, login: undefined };
  }
  const { file } = source;
  await readUsers(file);
  if (await isReadByAll(file)) {
    parts.log.warn(`${file} is readable by every user of this machine; \`chmod 600\` restricts it`);
  }
  const issuer = new TokenIssuer(parts.clock);
  return {
    guard: new ListenerGuard(listener, (token) => issuer.identify(token)),
    login: new UserLogin({ endpoint, file, issuer, ...parts }),
  };
}
