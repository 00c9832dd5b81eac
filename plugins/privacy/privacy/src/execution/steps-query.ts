import { defineQuery, type PluginTable } from "@plinth/core";
import type { PrivateReceipt } from "../store/records.js";
import { runTraced, type TraceOrder } from "./run-traced.js";
import { type RecordedStep, StepRecorder, type StepsShown } from "./step-recorder.js";

/** Re-executes private transactions, and records the steps of the last one. */
export type StepsOrder = TraceOrder & { readonly shown: StepsShown };

/** The steps of a private transaction, and its result. */
export interface PrivateSteps {
  readonly receipt: PrivateReceipt;
  readonly steps: readonly RecordedStep[];
  /** Whether there are more steps than these. */
  readonly isCut: boolean;
}

/** Records the steps of a private transaction; `undefined` if the state before it is not kept. */
export const stepsQuery = (table: PluginTable) =>
  defineQuery({
    name: "privacy.steps",
    async run(order: StepsOrder, context): Promise<PrivateSteps | undefined> {
      const recorder = new StepRecorder(order.shown);
      const receipt = await runTraced(order, { table, context }, () => recorder);
      return receipt && { receipt, steps: recorder.steps, isCut: recorder.isCut };
    },
  });
