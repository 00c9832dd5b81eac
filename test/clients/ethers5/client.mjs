import { EventEmitter, on } from "node:events";
import { ethers } from "ethers";

const { Contract, ContractFactory, Wallet } = ethers;
const { JsonRpcProvider, WebSocketProvider } = ethers.providers;

export function connect({ url, wsUrl, account }) {
  const provider = open(url);
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
      await contract.deployed();
      return contract.address;
    },
    read: async (call) => plain(await at(call)[call.name](...call.args)),
    async write(call) {
      const sent = await at(call)[call.name](...call.args);
      return (await sent.wait()).gasUsed.toBigInt();
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
      const { gasPrice, lastBaseFeePerGas } = await provider.getFeeData();
      return { gasPrice: gasPrice.toBigInt(), baseFee: lastBaseFeePerGas?.toBigInt() };
    },
    estimate: async (call) => (await at(call).estimateGas[call.name](...call.args)).toBigInt(),
    async transfers(contract, address) {
      const events = await at({ contract, address }).queryFilter("Transfer", 0);
      return events.map(({ args: { from, to, value } }) => ({ from, to, value: plain(value) }));
    },
    async subscribe({ abi }, address) {
      const socket = listen();
      const heard = new EventEmitter();
      const transfers = on(heard, "transfer");
      new Contract(address, abi, socket).on("Transfer", (from, to, value) =>
        heard.emit("transfer", { from, to, value: plain(value) }),
      );
      // A response to a later request: the subscription is established.
      await socket.getBlockNumber();
      return transfers;
    },
    async watchLogs(address) {
      const socket = listen();
      const heard = new EventEmitter();
      const logs = on(heard, "log");
      socket.on({ address }, ({ blockNumber, removed }) =>
        heard.emit("log", { blockNumber, removed }),
      );
      await socket.getBlockNumber();
      return logs;
    },
    async watchHeads() {
      const socket = listen();
      const heard = new EventEmitter();
      const heads = on(heard, "head");
      socket.on("block", (number) => heard.emit("head", number));
      await socket.getBlockNumber();
      return heads;
    },
    async filter(address) {
      const id = await provider.send("eth_newFilter", [{ address }]);
      return async () => (await provider.send("eth_getFilterChanges", [id])).length;
    },
    async revert(call) {
      const error = await at(call)
        .callStatic[call.name](...call.args)
        .catch((error) => error);
      return { name: error.errorName, args: [...error.errorArgs].map(plain) };
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
      for (const socket of sockets) await socket.destroy();
    },
  };
}

function open(url) {
  const provider = new JsonRpcProvider(url);
  provider.pollingInterval = 50;
  return provider;
}

/** Native numbers. */
function plain(value) {
  return ethers.BigNumber.isBigNumber(value) ? value.toBigInt() : value;
}
