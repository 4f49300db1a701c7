// Shows the OpenAPI document in Swagger UI, with this relay as its server.
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'NEXT']

fetch('/openapi-3.2.json')
  .then(reply => reply.json())
  .then(spec => {
    globalThis.SwaggerUIBundle({
      spec: { ...spec, servers: [{ url: location.origin }] },
      domNode: document.querySelector('#swagger'),
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      filter: true,
      supportedSubmitMethods: methods,
    })
  })
