// Where progress is kept between visits, and what the embedding page is told.

function connect(page, dispatch) {}
