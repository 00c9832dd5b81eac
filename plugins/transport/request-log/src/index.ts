import { type Clock, definePlugin, LimitExceeded, systemClock } from "@plinth/core";
import { DenialLog } from "@plinth/kit-http";
import { describeCall } from "./describe-call.js";
import { options } from "./options.js";

export default definePlugin({
  name: "request-log",
  options,
  setup({ config, hooks, log, onStart }) {
    let clock: Clock = systemClock;
    onStart((runtime) => {
      clock = runtime.clock;
    });
    const denials = new DenialLog(log, () => clock);
    hooks.rpc.denied.tap(({ client, endpoint, method, error }) => {
      const reason = error instanceof LimitExceeded ? "limited" : "unauthorized";
      const { remoteAddress, identity } = client;
      const user = identity?.name;
      denials.write({ client: remoteAddress, listener: endpoint.name, reason, method, user });
    });
    const { rpcRequestLog: kind, rpcSlowRequestMs: slowMs } = config;
    if (kind === "off") return;
    hooks.rpc.called.tap((event) => {
      const isSlow = event.seconds * 1000 >= slowMs;
      if (isSlow) log.warn("slow call", describeCall(event));
      else if (kind === "all") log.info("call", describeCall(event));
    });
  },
});
