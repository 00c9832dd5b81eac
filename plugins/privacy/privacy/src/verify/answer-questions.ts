import type { Clock, Logger } from "@plinth/core";
import {
  type EnclaveClient,
  EnclaveError,
  EnclaveUnreachable,
  NotOffered,
} from "@plinth/kit-enclave";
import type { GroupStates } from "./group-states.js";

const RETRY_MS = 5000;
/** A manager that has no questions may be replaced by one that has. */
const NOT_OFFERED_MS = 10 * 60_000;

/** Answers what the nodes of other members ask through the manager, until the signal aborts. */
export async function answerQuestions(
  {
    enclave,
    states,
    clock,
    log,
  }: {
    readonly enclave: EnclaveClient;
    readonly states: GroupStates;
    readonly clock: Clock;
    readonly log: Logger;
  },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const asked = await nextQuestion(enclave, signal);
      if (asked === undefined) continue;
      await enclave.answerQuestion(asked.id, await states.answer(asked.question, signal));
    } catch (error) {
      const isOffered = !(error instanceof NotOffered);
      const isAway = error instanceof EnclaveUnreachable || error instanceof EnclaveError;
      if (isOffered && !isAway) throw error;
      log.debug("a question of another member was not answered", { error });
      await clock.sleep(isOffered ? RETRY_MS : NOT_OFFERED_MS, signal);
    }
  }
}

/** The manager keeps the request while there is nothing to ask; a node that stops does not wait for it. */
async function nextQuestion(enclave: EnclaveClient, signal: AbortSignal) {
  const asking = enclave.nextQuestion();
  return new Promise<Awaited<typeof asking>>((resolve, reject) => {
    const stop = () => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
    asking.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
