/** The default theme with the fonts of the reader's own system: nothing is fetched for them. */

import Theme from 'vitepress/theme-without-fonts'
import './style.css'

export default Theme
