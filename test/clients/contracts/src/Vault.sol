// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// A vault that says on the console what it does, as contracts under test do.
contract Vault {
    error NotYours(address caller, uint256 wanted, uint256 held);

    Ledger public immutable ledger = new Ledger();

    function put() external payable {
        log("put", msg.value);
        ledger.add(msg.sender, int256(msg.value));
    }

    function take(uint256 amount) external {
        uint256 held = ledger.held(msg.sender);
        log("take", amount);
        if (amount > held) revert NotYours(msg.sender, amount, held);
        ledger.add(msg.sender, -int256(amount));
        (bool isPaid,) = msg.sender.call{value: amount}("");
        require(isPaid);
    }

    /// What `console.log(string,uint256)` of the usual libraries does.
    function log(string memory text, uint256 value) private view {
        address console = 0x000000000000000000636F6e736F6c652e6c6f67;
        (bool isHeard,) = console.staticcall(abi.encodeWithSignature("log(string,uint256)", text, value));
        isHeard;
    }
}

/// Who has how much.
contract Ledger {
    mapping(address => uint256) public held;

    function add(address who, int256 amount) external {
        held[who] = uint256(int256(held[who]) + amount);
    }
}
