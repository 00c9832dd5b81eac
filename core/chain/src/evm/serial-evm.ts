import { Mutex } from "@plinth/core/async";
import type { Evm } from "@plinth/core/evm";

/** An EVM that is made when it is first needed and works on one run at a time. */
export interface SerialEvm extends Evm {
  /** Makes it now, so that the first run does not wait for it. */
  load(): Promise<void>;
}

export function serialEvm(create: () => Promise<Evm>): SerialEvm {
  let made: Promise<Evm> | undefined;
  const mutex = new Mutex();
  const inTurn = <T>(run: (evm: Evm) => Promise<T>): Promise<T> =>
    mutex.run(async () => {
      made ??= create();
      return run(await made);
    });
  return {
    load: () => inTurn(async () => {}),
    runTransaction: (transaction, on) => inTurn((evm) => evm.runTransaction(transaction, on)),
    runMessage: (message, on) => inTurn((evm) => evm.runMessage(message, on)),
    runSystemCall: (call, on) => inTurn((evm) => evm.runSystemCall(call, on)),
  };
}
