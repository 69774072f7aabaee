"""Whether anybody can know, outrun or jam what others do: measured as an attacker would."""
