"""What an agent sees and does: actions, masks, observation planes, encoders."""
