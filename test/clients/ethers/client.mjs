import { EventEmitter, on } from "node:events";
import { Contract, ContractFactory, JsonRpcProvider, Wallet, WebSocketProvider } from "ethers";

/**
 * A chain that produces a block at once has another nonce before responses would leave the cache.
 */
const SETTINGS = { pollingInterval: 50, cacheTimeout: -1 };

export function connect({ url, wsUrl, account }) {
  const provider = new JsonRpcProvider(url, undefined, SETTINGS);
  const wallet = new Wallet(account.key, provider);
  const at = ({ contract, address }) => new Contract(address, contract.abi, wallet);
  const sockets = [];
  const listen = () => {
    const socket = new WebSocketProvider(wsUrl);
    sockets.push(socket);
    return socket;
  };

  return {
    async deploy({ abi, bytecode }, args) {
      const contract = await new ContractFactory(abi, bytecode, wallet).deploy(...args);
      await contract.waitForDeployment();
      return contract.getAddress();
    },
    read: (call) => at(call)[call.name](...call.args),
    async write(call) {
      const sent = await at(call)[call.name](...call.args);
      return (await sent.wait()).gasUsed;
    },
    async sendLegacy(to, value) {
      const sent = await wallet.sendTransaction({ to, value, type: 0 });
      await sent.wait();
    },
    async send(to, value) {
      const sent = await wallet.sendTransaction({ to, value });
      await sent.wait();
    },
    async fees() {
      const { gasPrice } = await provider.getFeeData();
      const { baseFeePerGas } = await provider.getBlock("latest");
      return { gasPrice, baseFee: baseFeePerGas ?? undefined };
    },
    estimate: (call) => at(call)[call.name].estimateGas(...call.args),
    async transfers(contract, address) {
      const events = await at({ contract, address }).queryFilter("Transfer", 0);
      return events.map(({ args }) => args.toObject());
    },
    async subscribe({ abi }, address) {
      const socket = listen();
      const heard = new EventEmitter();
      const transfers = on(heard, "transfer");
      await new Contract(address, abi, socket).on("Transfer", (from, to, value) =>
        heard.emit("transfer", { from, to, value }),
      );
      // A response to a later request: the subscription is established.
      await socket.getBlockNumber();
      return transfers;
    },
    async watchLogs(address) {
      const socket = listen();
      const heard = new EventEmitter();
      const logs = on(heard, "log");
      // Listeners of the library never receive reverted logs.
      const id = await socket.send("eth_subscribe", ["logs", { address }]);
      socket._register(id, {
        _handleMessage: ({ blockNumber, removed }) =>
          heard.emit("log", { blockNumber: Number(blockNumber), removed }),
      });
      return logs;
    },
    async watchHeads() {
      const socket = listen();
      const heard = new EventEmitter();
      const heads = on(heard, "head");
      await socket.on("block", (number) => heard.emit("head", number));
      await socket.getBlockNumber();
      return heads;
    },
    async filter(address) {
      const id = await provider.send("eth_newFilter", [{ address }]);
      return async () => (await provider.send("eth_getFilterChanges", [id])).length;
    },
    async revert(call) {
      const error = await at(call)
        [call.name].staticCall(...call.args)
        .catch((error) => error);
      return { name: error.revert.name, args: error.revert.args.toArray() };
    },
    async refusal({ from, to, value, nonce, gas }) {
      const sent = new Wallet(from.key, provider).sendTransaction({
        to,
        value,
        nonce,
        gasLimit: gas,
      });
      return (await sent.catch((error) => error)).code;
    },
    async [Symbol.asyncDispose]() {
      provider.destroy();
      for (const socket of sockets) await socket.destroy();
    },
  };
}
