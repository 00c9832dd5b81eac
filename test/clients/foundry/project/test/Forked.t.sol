// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

interface Vm {
    function envAddress(string calldata name) external view returns (address);
    function deal(address who, uint256 amount) external;
    function prank(address who) external;
    function warp(uint256 time) external;
}

interface IToken {
    function balanceOf(address who) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

/// Runs on a fork of the node, where the script has put a token.
contract ForkedTest {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address private constant RICH = 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266;
    address private constant FRIEND = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8;

    function testReadsWhatIsThere() external view {
        IToken token = IToken(vm.envAddress("TOKEN"));
        require(token.balanceOf(FRIEND) == 25, "the friend has 25");
        require(RICH.balance > 9_000 ether, "the deployer is rich");
        require(block.chainid == 1337, "the chain is that of the node");
    }

    function testSpendsInAFork() external {
        IToken token = IToken(vm.envAddress("TOKEN"));
        vm.prank(FRIEND);
        token.transfer(RICH, 5);
        require(token.balanceOf(FRIEND) == 20, "the friend has spent five");
    }

    function testChangesTheFork() external {
        vm.deal(address(7), 3 ether);
        vm.warp(4_102_444_800);
        require(address(7).balance == 3 ether && block.timestamp == 4_102_444_800, "both are set");
    }
}
