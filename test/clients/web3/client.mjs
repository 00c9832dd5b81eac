import { EventEmitter, on } from "node:events";
import { Web3 } from "web3";

export function connect({ url, wsUrl, account }) {
  const web3 = open(account, url);
  const at = ({ contract, address }, { eth } = web3) => new eth.Contract(contract.abi, address);
  const method = (call) => at(call).methods[call.name](...call.args);
  const from = account.address;
  const sockets = [];
  const listen = () => {
    const socket = new Web3(wsUrl);
    sockets.push(socket);
    return socket;
  };

  return {
    async deploy({ abi, bytecode }, args) {
      const deployment = new web3.eth.Contract(abi).deploy({ data: bytecode, arguments: args });
      return (await deployment.send({ from })).options.address;
    },
    read: (call) => method(call).call(),
    write: async (call) => (await method(call).send({ from })).gasUsed,
    async sendLegacy(to, value) {
      const gasPrice = await web3.eth.getGasPrice();
      await web3.eth.sendTransaction({ from, to, value, gasPrice });
    },
    async send(to, value) {
      await web3.eth.sendTransaction({ from, to, value });
    },
    async fees() {
      const { baseFeePerGas } = await web3.eth.getBlock("latest");
      return { gasPrice: await web3.eth.getGasPrice(), baseFee: baseFeePerGas };
    },
    estimate: (call) => method(call).estimateGas({ from }),
    async transfers(contract, address) {
      const events = await at({ contract, address }).getPastEvents("Transfer", { fromBlock: 0 });
      return events.map(transferOf);
    },
    async subscribe(contract, address) {
      const socket = listen();
      const heard = new EventEmitter();
      const transfers = on(heard, "transfer");
      const subscription = at({ contract, address }, socket).events.Transfer();
      subscription.on("data", (event) => heard.emit("transfer", transferOf(event)));
      subscription.on("error", (error) => heard.emit("error", error));
      await new Promise((resolve, reject) => {
        subscription.on("connected", resolve);
        subscription.on("error", reject);
      });
      return transfers;
    },
    async watchLogs(address) {
      const heard = new EventEmitter();
      const logs = on(heard, "log");
      const forward = ({ blockNumber, removed = false }) =>
        heard.emit("log", { blockNumber: Number(blockNumber), removed });
      const subscription = await listen().eth.subscribe("logs", { address });
      subscription.on("data", forward);
      subscription.on("changed", forward);
      return logs;
    },
    async watchHeads() {
      const heard = new EventEmitter();
      const heads = on(heard, "head");
      const subscription = await listen().eth.subscribe("newBlockHeaders");
      subscription.on("data", ({ number }) => heard.emit("head", Number(number)));
      return heads;
    },
    async filter(address) {
      const send = (method, params) => web3.requestManager.send({ method, params });
      const id = await send("eth_newFilter", [{ address }]);
      return async () => (await send("eth_getFilterChanges", [id])).length;
    },
    async revert(call) {
      const { cause } = await method(call)
        .call({ from })
        .catch((error) => error);
      const { inputs } = call.contract.abi.find(({ name }) => name === cause.errorName);
      return { name: cause.errorName, args: inputs.map(({ name }) => cause.errorArgs[name]) };
    },
    async refusal({ from, to, value, nonce, gas }) {
      const sent = open(from, url).eth.sendTransaction({
        from: from.address,
        to,
        value,
        nonce,
        gas,
      });
      const { name, cause } = await sent.catch((error) => error);
      return `${name}, caused by ${cause.code}`;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.currentProvider.disconnect();
    },
  };
}

function open({ key }, url) {
  const web3 = new Web3(url);
  web3.setConfig({ transactionPollingInterval: 50 });
  web3.eth.accounts.wallet.add(key);
  return web3;
}

function transferOf({ returnValues: { from, to, value } }) {
  return { from, to, value };
}
