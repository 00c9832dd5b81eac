// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Keeps ether for its owner until a moment has come.
contract Safe {
    address public immutable owner;
    uint256 public immutable opensAt;

    event Opened(address indexed owner, uint256 value);

    error TooEarly(uint256 opensAt);
    error NotOwner(address caller);

    constructor(uint256 opensAt_) payable {
        owner = msg.sender;
        opensAt = opensAt_;
    }

    function open() external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        if (block.timestamp < opensAt) revert TooEarly(opensAt);
        emit Opened(owner, address(this).balance);
        (bool isPaid, ) = owner.call{value: address(this).balance}("");
        assert(isPaid);
    }
}
