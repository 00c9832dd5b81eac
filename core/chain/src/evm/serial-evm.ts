import { Mutex } from "@plinth/core/async";
import type { Evm } from "@plinth/core/evm";

/** An EVM that is created on first use and runs one job at a time. */
export interface SerialEvm extends Evm {
  /** Creates it now, so that the first run does not wait for it. */
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
