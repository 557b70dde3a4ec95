"""How a game is put into words: names of seats, places and cards, and what a game may say of itself."""
