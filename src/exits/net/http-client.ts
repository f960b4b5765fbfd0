/** The one place that names the HTTP library, so that a bundle can load it late and still find its parts. */

export { Client } from 'undici'
