// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Token} from "../src/Token.sol";

interface Vm {
    function envAddress(string calldata name) external view returns (address);
    function envBytes32(string calldata name) external view returns (bytes32);
    function envString(string calldata name) external view returns (string memory);
    function envUint(string calldata name) external view returns (uint256);
    function createFork(string calldata url, uint256 block_) external returns (uint256);
    function createSelectFork(string calldata url) external returns (uint256);
    function createSelectFork(string calldata url, bytes32 transaction) external returns (uint256);
    function selectFork(uint256 id) external;
    function activeFork() external view returns (uint256);
    function rollFork(uint256 block_) external;
    function makePersistent(address account) external;
    function transact(bytes32 transaction) external;
    function prank(address who) external;
    function load(address target, bytes32 slot) external view returns (bytes32);
    function eth_getLogs(uint256 from, uint256 to, address target, bytes32[] memory topics)
        external
        returns (EthGetLogs[] memory);
    function snapshotState() external returns (uint256);
    function revertToState(uint256 id) external returns (bool);

    struct EthGetLogs {
        address emitter;
        bytes32[] topics;
        bytes data;
        bytes32 blockHash;
        uint64 blockNumber;
        bytes32 transactionHash;
        uint64 transactionIndex;
        uint256 logIndex;
        bool removed;
    }
}

/// Forks a node that is itself a fork of a network, in which a token was deployed at block AT and was moved by TRANSFER after it.
contract ForkingTest {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address private constant RICH = 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266;
    address private constant FRIEND = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8;

    string private url = vm.envString("FORK");
    Token private token = Token(vm.envAddress("TOKEN"));
    uint256 private at = vm.envUint("AT");

    function testForksTheLatestBlock() external {
        vm.createSelectFork(url);
        require(token.balanceOf(FRIEND) == 25, "the friend has 25");
        require(token.totalSupply() == 1_000_000, "the supply is there");
        require(block.number > at, "after the transfer");
    }

    function testForksAnOlderBlock() external {
        vm.selectFork(vm.createFork(url, at));
        require(block.number == at, "the block is the chosen one");
        require(token.balanceOf(FRIEND) == 0, "before the transfer");
        vm.rollFork(at + 1);
        require(token.balanceOf(FRIEND) == 25, "after the transfer");
    }

    function testForksBeforeATransaction() external {
        vm.createSelectFork(url, vm.envBytes32("TRANSFER"));
        require(token.balanceOf(FRIEND) == 0, "before the transaction");
        vm.transact(vm.envBytes32("TRANSFER"));
        require(token.balanceOf(FRIEND) == 25, "after the transaction");
    }

    function testSeparatesForks() external {
        uint256 one = vm.createSelectFork(url);
        vm.prank(FRIEND);
        token.transfer(RICH, 5);
        uint256 two = vm.createSelectFork(url);
        require(vm.activeFork() == two && token.balanceOf(FRIEND) == 25, "the second is unchanged");
        vm.selectFork(one);
        require(token.balanceOf(FRIEND) == 20, "the first has the transfer");
    }

    function testKeepsAPersistentContract() external {
        vm.createSelectFork(url);
        Token own = new Token(7);
        vm.makePersistent(address(own));
        vm.createSelectFork(url);
        require(own.balanceOf(address(this)) == 7, "the contract is in both");
    }

    function testRevertsToASnapshot() external {
        vm.createSelectFork(url);
        uint256 id = vm.snapshotState();
        vm.prank(FRIEND);
        token.transfer(RICH, 25);
        require(token.balanceOf(FRIEND) == 0, "all is spent");
        vm.revertToState(id);
        require(token.balanceOf(FRIEND) == 25, "as before");
    }

    function testReadsSlotsAndLogs() external {
        vm.createSelectFork(url);
        bytes32 slot = keccak256(abi.encode(FRIEND, uint256(0)));
        require(uint256(vm.load(address(token), slot)) == 25, "the slot of the friend");
        bytes32[] memory topics = new bytes32[](1);
        topics[0] = keccak256("Transfer(address,address,uint256)");
        Vm.EthGetLogs[] memory logs = vm.eth_getLogs(at, at + 1, address(token), topics);
        require(logs.length == 2 && abi.decode(logs[1].data, (uint256)) == 25, "both transfers");
    }
}
